#pragma once

// Lets a caller interrupt long work, such as making a graph of millions of arms. The caller sets a
// function, for its own thread, that returns true once the work should stop:
//
//   const Interruption interruption([&] { return stop_requested.load(); });
//   Graph graph = make_graph(...);  // may throw Interrupted
//
// The loops inside the work call note_work(), which calls the function from time to time. Without
// an Interruption, note_work() does nothing. The function belongs to the thread, and is not a
// parameter of every function in between, because users may write graph families, losses and
// learners.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace hearsay {

// Thrown by note_work(). It is not an Error, because no input is wrong. The object that was being
// made does not exist.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

class Interruption {
 public:
  using ShouldStop = std::function<bool()>;

  // Until the destructor runs, note_work() on this thread calls `should_stop` instead of the
  // function of an outer Interruption. `should_stop` may itself throw another exception than
  // Interrupted.
  explicit Interruption(ShouldStop should_stop);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // The innermost Interruption of this thread; null if there is none.
  static Interruption* current() { return current_; }

  // Calls should_stop() once for every kStepsBetween steps, even if they are noted together, so
  // that the number of calls tells how much work has been done.
  void note(std::size_t steps) {
    for (steps_ += steps; steps_ >= kStepsBetween; steps_ -= kStepsBetween) {
      check();
    }
  }

  // A step takes 1 to 100 nanoseconds, so there are at most a few milliseconds between calls.
  static constexpr std::size_t kStepsBetween = std::size_t{1} << 16U;

 private:
  void check() const;

  // NOLINTNEXTLINE(readability-identifier-naming): a member, which the check takes for a variable
  static thread_local Interruption* current_;

  ShouldStop should_stop_;
  Interruption* outer_;
  std::size_t steps_ = 0;
};

// Notes how many elementary steps (an arc, a weight, a character) have been done since the last
// call. May throw, so it must be called where an exception leaves nothing half done.
inline void note_work(std::size_t steps) {
  if (Interruption* current = Interruption::current(); current != nullptr) {
    current->note(steps);
  }
}

// Compares as `a < b` and calls note_work(), so that sorting very many values can be interrupted.
struct InterruptibleLess {
  bool operator()(const auto& a, const auto& b) const {
    note_work(1);
    return a < b;
  }
};

// A vector of `size` times `value`, made with calls of note_work(): to fill one of a gigabyte takes
// a second, because the system provides the memory only when it is written to.
template <class Value, class Allocator = std::allocator<Value>>
std::vector<Value, Allocator> filled(std::size_t size, const Value& value = {}) {
  std::vector<Value, Allocator> values;
  values.reserve(size);
  while (values.size() < size) {
    const std::size_t some = std::min(Interruption::kStepsBetween, size - values.size());
    values.resize(values.size() + some, value);
    note_work(some);
  }
  return values;
}

}  // namespace hearsay
