#pragma once

// Saved states end with a checksum, which a fuzzer could not guess.

#include <cstddef>
#include <string>

#include "hearsay/base/checksum.h"
#include "hearsay/base/little_endian.h"

// Replaces the last bytes of `state` by the checksum of the bytes before them.
inline std::string with_valid_checksum(std::string state) {
  constexpr std::size_t kChecksumBytes = 16;
  state.resize(state.size() < kChecksumBytes ? 0 : state.size() - kChecksumBytes);
  const hearsay::Checksum sum = hearsay::checksum(state);
  hearsay::append_little_endian(state, sum.high);
  hearsay::append_little_endian(state, sum.low);
  return state;
}
