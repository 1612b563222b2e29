#pragma once

// Ctrl-C and SIGTERM as a request: while one of these lives, the first is noted and the second ends
// the program at once, as usual.

namespace hearsay::cli {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static bool caught();
};

}  // namespace hearsay::cli
