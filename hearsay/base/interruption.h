#pragma once

// Lets long work be ended from outside, such as making a graph of millions of arms. Who starts the
// work says, for its own thread, how to find out whether it is to end:
//
//   const Interruption interruption([&] { return stop_requested.load(); });
//   Graph graph = make_graph(...);  // may throw Interrupted
//
// The loops inside the work call note_work(), which asks now and then. Outside the lifetime of an
// Interruption, note_work() does nothing. This is a property of the thread, and not a parameter of
// every function in between, because graph families, losses and learners may be a user's.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

namespace hearsay {

// Thrown by note_work(). It is no Error: nothing is wrong. What was being made does not exist.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

class Interruption {
 public:
  using Ask = std::function<bool()>;

  // Until the destructor, note_work() on this thread calls `ask`, in place of an outer one. `ask`
  // may itself throw something in place of Interrupted.
  explicit Interruption(Ask ask);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // Of this thread; null if there is none.
  static Interruption* current() { return current_; }

  // Asks once for every kStepsBetween steps, also if they are noted together: who answers may count
  // the questions to know how much has been done.
  void note(std::size_t steps) {
    for (steps_ += steps; steps_ >= kStepsBetween; steps_ -= kStepsBetween) {
      ask_or_throw();
    }
  }

  // Some steps take a nanosecond, some a hundred: this is at most a few milliseconds.
  static constexpr std::size_t kStepsBetween = std::size_t{1} << 16U;

 private:
  void ask_or_throw() const;

  // NOLINTNEXTLINE(readability-identifier-naming): a member, which the check takes for a variable
  static thread_local Interruption* current_;

  Ask ask_;
  Interruption* outer_;
  std::size_t steps_ = 0;
};

// `steps`: how many elementary steps (an arc, a weight, a character) have been done since the last
// call. To be called where an exception leaves nothing half done.
inline void note_work(std::size_t steps) {
  if (Interruption* current = Interruption::current(); current != nullptr) {
    current->note(steps);
  }
}

// A vector of `size` times `value`. To fill one of a gigabyte takes a second, as the system gives
// out its memory only then: this calls note_work() meanwhile.
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
