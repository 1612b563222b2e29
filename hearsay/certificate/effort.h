#pragma once

// How much a long computation may use, handed in by whoever has the clock and the cores.

#include <functional>

namespace hearsay {

struct Effort {
  unsigned threads = 1;

  // Asked every few milliseconds, by several threads at once; true ends the work with what is known
  // by then. Empty: never.
  std::function<bool()> stop = {};

  bool stopped() const { return stop && stop(); }
};

}  // namespace hearsay
