#pragma once

// Random whole numbers for searches: the same sequence for the same seed everywhere.

#include <array>
#include <cstddef>
#include <cstdint>

#include "hearsay/random/stream.h"

namespace hearsay {

class Dice {
 public:
  explicit Dice(std::uint64_t seed, std::uint64_t repetition = 0)
      : stream_(seed, Purpose::search, repetition) {}

  // Uniform on 0 .. bound - 1, up to a bias of bound / 2^32.
  std::size_t below(std::size_t bound) {
    if (left_ == 0) {
      drawn_ = stream_.bits(rolls_++);
      left_ = 2 * drawn_.size();
    }
    --left_;
    const std::uint64_t half = (drawn_[left_ / 2] >> (32 * (left_ % 2))) & 0xffff'ffffU;
    return (half * bound) >> 32U;
  }

 private:
  Stream stream_;
  std::uint64_t rolls_ = 0;
  std::size_t left_ = 0;  // halves of drawn_ that are not used yet
  std::array<std::uint64_t, 2> drawn_ = {};
};

}  // namespace hearsay
