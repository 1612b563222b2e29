#pragma once

// How many threads and how much time a long computation may use. The caller provides the clock.

#include <cstdint>
#include <functional>

namespace hearsay {

struct Effort {
  unsigned threads = 1;

  // Called every few milliseconds, from several threads at once. Once it has returned true, the
  // computation ends within a fraction of a second with the results found so far. If empty, the
  // computation is never stopped.
  std::function<bool()> stop = {};

  bool stopped() const { return stop && stop(); }
};

// An effort on one thread that ends after a number of calls of `stop`. Unlike with a time limit,
// the computation always ends at the same point.
inline Effort limited_effort(std::uint64_t most_calls) {
  return {.threads = 1, .stop = [most_calls, calls = std::uint64_t{0}]() mutable {
            return ++calls > most_calls;
          }};
}

// Thrown by StopPoll::throw_if_stopped() from a computation that has no useful partial result. The
// functions of independence.h and independence_check.h catch it.
struct Stopped {};

// Calls effort.stop from time to time. The caller reports the work it has done, in units of about a
// nanosecond (one memory access or a few operations), and effort.stop is called once per kInterval
// units. So the delay is bounded for graphs of any size.
class StopPoll {
 public:
  explicit StopPoll(const Effort& effort) : effort_(effort) {}

  // Whether to stop. `work` is the work done since the last call.
  bool stopped(std::uint64_t work) {
    work_ += work;
    if (work_ >= kInterval) {
      work_ = 0;
      stopped_ = stopped_ || effort_.stopped();
    }
    return stopped_;
  }

  void throw_if_stopped(std::uint64_t work) {
    if (stopped(work)) {
      throw Stopped{};
    }
  }

 private:
  static constexpr std::uint64_t kInterval = 1U << 21U;

  const Effort& effort_;
  std::uint64_t work_ = 0;
  bool stopped_ = false;
};

}  // namespace hearsay
