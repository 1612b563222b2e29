#include "cli/stop_signals.h"

#include <atomic>

namespace hearsay::cli {
namespace {

std::atomic<bool> caught_one = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may set it");

}  // namespace

StopSignals::StopSignals() {
  caught_one = false;
  struct sigaction action = {};
  action.sa_handler = [](int) { caught_one = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals.at(i), nullptr, &before_.at(i));
    if (before_.at(i).sa_handler != SIG_IGN) {  // as under nohup, which is to stay so
      sigaction(kSignals.at(i), &action, nullptr);
    }
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals.at(i), &before_.at(i), nullptr);
  }
}

bool StopSignals::caught() {
  return caught_one;
}

}  // namespace hearsay::cli
