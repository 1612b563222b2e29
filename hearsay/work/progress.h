#pragma once

// The progress of the work on a plan.

#include <cstdint>
#include <functional>

namespace hearsay {

// How much of the work is done, counted in rounds of single runs.
struct WorkDone {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// Called about ten times a second while units are computed, and at the end. It may stop the queue.
using WatchWork = std::function<void(const WorkDone&)>;

}  // namespace hearsay
