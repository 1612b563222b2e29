#pragma once

// Ctrl-C, SIGTERM and SIGHUP as a request: while one of these lives, the first is noted and the
// second ends the program at once, as usual. A hangup that is ignored (nohup) stays ignored.

#include <array>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX

namespace hearsay::cli {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // From any thread.
  static bool caught();

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  std::array<struct sigaction, kSignals.size()> before_ = {};
};

}  // namespace hearsay::cli
