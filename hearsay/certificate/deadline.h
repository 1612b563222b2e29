#pragma once

// Decides when a search for independence numbers must end because its time is over. The search
// always gets at least one second to find its first bounds. So even a limit of 0 seconds gives an
// informative interval, unless the graph is very large.

#include <atomic>
#include <functional>
#include <optional>

namespace hearsay {

class Deadline {
 public:
  // The time begins now. `clock` returns seconds since some fixed moment and may be called by any
  // thread; the library does not read the clock itself. If `seconds` is nullopt, there is no limit.
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
