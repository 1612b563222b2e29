#include "hearsay/base/interruption.h"

#include <utility>

namespace hearsay {

thread_local Interruption* Interruption::current_ = nullptr;

Interruption::Interruption(Ask ask) : ask_(std::move(ask)), outer_(std::exchange(current_, this)) {}

Interruption::~Interruption() {
  current_ = outer_;
}

void Interruption::ask_or_throw() const {
  if (ask_()) {
    throw Interrupted();
  }
}

}  // namespace hearsay
