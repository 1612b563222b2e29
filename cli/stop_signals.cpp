#include "cli/stop_signals.h"

#include <array>
#include <csignal>

namespace hearsay::cli {
namespace {

// The one thing a signal handler may write to.
volatile std::sig_atomic_t caught_one = 0;

constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

void set_handler(void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  for (const int signal : kSignals) {
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

StopSignals::StopSignals() {
  caught_one = 0;
  set_handler([](int) { caught_one = 1; }, static_cast<int>(SA_RESETHAND));
}

StopSignals::~StopSignals() {
  set_handler(SIG_DFL, 0);
}

bool StopSignals::caught() {
  return caught_one != 0;
}

}  // namespace hearsay::cli
