#include "hearsay/base/interruption.h"

#include <utility>

namespace hearsay {

thread_local Interruption* Interruption::current_ = nullptr;

Interruption::Interruption(ShouldStop should_stop)
    : should_stop_(std::move(should_stop)), outer_(std::exchange(current_, this)) {}

Interruption::~Interruption() {
  current_ = outer_;
}

void Interruption::check() const {
  if (should_stop_()) {
    throw Interrupted();
  }
}

}  // namespace hearsay
