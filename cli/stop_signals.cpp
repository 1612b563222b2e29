#include "cli/stop_signals.h"

#include <atomic>

namespace hearsay::cli {
namespace {

std::atomic<bool> signal_noted = false;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may set lock-free atomics only");

}  // namespace

StopSignals::StopSignals() {
  signal_noted = false;
  struct sigaction action = {};
  action.sa_handler = [](int) { signal_noted = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals.at(i), nullptr, &before_.at(i));
    // Under nohup, SIGHUP must stay ignored.
    if (kSignals.at(i) != SIGHUP || before_.at(i).sa_handler != SIG_IGN) {
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
  return signal_noted;
}

}  // namespace hearsay::cli
