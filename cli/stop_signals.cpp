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
    // Under nohup a hangup is to stay ignored. Ctrl-C is ignored in whatever a script puts into the
    // background, and there it must count: the script that sends it means it.
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
  return caught_one;
}

}  // namespace hearsay::cli
