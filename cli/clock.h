#pragma once

// The clock for those parts of the library that measure time, which never read it themselves.

#include <chrono>

namespace hearsay::cli {

// Since some fixed moment.
inline double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace hearsay::cli
