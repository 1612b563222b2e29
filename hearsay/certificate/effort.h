#pragma once

// How much a long computation may use. The caller provides the clock and the number of threads.

#include <cstdint>
#include <functional>

namespace hearsay {

struct Effort {
  unsigned threads = 1;

  // Called every few milliseconds, from several threads at once. Once it has returned true, the
  // computation ends within a fraction of a second with what is known by then. Empty: never stop.
  std::function<bool()> stop = {};

  bool stopped() const { return stop && stop(); }
};

// Thrown by StopPoll::require() out of a computation whose partial result is of no use. It never
// leaves the functions of independence.h and independence_check.h.
struct Stopped {};

// Calls effort.stop once in a while: the caller reports how much work it does, in units of about a
// nanosecond (one memory access or a few operations), and the function is called once every
// kInterval units. So the delay is bounded at any size of the graph.
class StopPoll {
 public:
  explicit StopPoll(const Effort& effort) : effort_(effort) {}

  // To be called with the work done since the last call. True from the moment on when a stop was
  // noticed.
  bool stopped(std::uint64_t work) {
    work_ += work;
    if (work_ >= kInterval) {
      work_ = 0;
      stopped_ = stopped_ || effort_.stopped();
    }
    return stopped_;
  }

  void require(std::uint64_t work) {
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
