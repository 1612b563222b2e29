#pragma once

// Random integers for searches: the same sequence for the same seed on every machine.

#include <array>
#include <cstddef>
#include <cstdint>

#include "hearsay/random/stream.h"

namespace hearsay {

class RandomIntegers {
 public:
  explicit RandomIntegers(std::uint64_t seed, std::uint64_t repetition = 0)
      : stream_(seed, Purpose::search, repetition) {}

  // Uniform on 0 .. bound - 1, up to a bias of bound / 2^32.
  std::size_t below(std::size_t bound) {
    if (left_ == 0) {
      drawn_ = stream_.bits(blocks_++);
      left_ = 2 * drawn_.size();
    }
    --left_;
    const std::uint64_t half = (drawn_[left_ / 2] >> (32 * (left_ % 2))) & 0xffff'ffffU;
    return (half * bound) >> 32U;
  }

 private:
  Stream stream_;
  std::uint64_t blocks_ = 0;  // drawn from stream_ so far
  std::size_t left_ = 0;      // halves of drawn_ that are not used yet
  std::array<std::uint64_t, 2> drawn_ = {};
};

}  // namespace hearsay
