#pragma once

// When a search for independence numbers ends for lack of time. The first bounds are far better
// than none, so for them alone the search may go on until a second has passed in all: even a limit
// of 0 seconds leaves an informative interval, unless the graph is very large.

#include <atomic>
#include <functional>
#include <optional>

namespace hearsay {

class Deadline {
 public:
  // The time begins now. `clock` returns seconds since some fixed moment and may be called by any
  // thread; the library does not read the clock itself. `seconds`: none: there is no limit.
  Deadline(std::function<double()> clock, std::optional<double> seconds);

  // Says that the first bounds are known. To be called by `progress` of the search.
  void note_bounds() { has_bounds_ = true; }

  // For Effort::stop. May be called by any thread.
  bool is_over() const;

 private:
  std::function<double()> clock_;
  double start_;
  std::optional<double> seconds_;
  std::atomic<bool> has_bounds_ = false;
};

}  // namespace hearsay
