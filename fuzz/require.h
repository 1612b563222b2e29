#pragma once

// The check of a fuzzer: a condition that does not hold is a finding.

#include <cstdlib>

inline void require(bool holds) {
  if (!holds) {
    std::abort();
  }
}
