#include "cli/interrupt.h"

#include <atomic>
#include <initializer_list>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX

namespace hearsay::cli {
namespace {

std::atomic<bool> came = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may set it");

}  // namespace

void watch_for_interrupt() {
  struct sigaction action = {};
  action.sa_handler = [](int) { came = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM}) {
    sigaction(signal, &action, nullptr);
  }
}

bool interrupted() {
  return came;
}

}  // namespace hearsay::cli
