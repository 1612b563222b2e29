#pragma once

// Takes Ctrl-C (SIGINT), SIGTERM and SIGHUP as a request to stop. While an object of this class
// exists, the first of each of these signals is noted, and the second of the same signal ends the
// program at once, as usual. If SIGHUP is ignored (nohup), it stays ignored.

#include <array>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX

#include "hearsay/base/interruption.h"

namespace hearsay::cli {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // Whether a signal was noted. May be called by any thread.
  static bool caught();

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> before_ = {};
};

// While one of these lives, a signal ends what this thread does by the exception Interrupted,
// within milliseconds, so that temporary files are deleted. It should live only while there are
// such files: without it, a signal ends the program at once, whatever it does.
class InterruptibleBySignals {
 private:
  StopSignals signals_;
  Interruption interruption_{StopSignals::caught};
};

}  // namespace hearsay::cli
