#pragma once

// Philox4x32-10 for many blocks at once. A block has 128 bits, which give two numbers. The numbers
// of blocks 0, 1, ... of (key, round), in this order, are the sequence that Stream::uniform
// indexes.

#include <array>
#include <cstdint>
#include <span>

#include "hearsay/simd/lanes.h"

namespace hearsay::philox {

// out[i] = number first + i of (key, round), uniform on [0, 1). `first` must be even.
void uniforms(std::uint64_t key, std::uint64_t round, std::uint64_t first, std::span<double> out);

// out[i][lane] = number i of (keys[lane], round).
void uniforms(const std::array<std::uint64_t, kLanes>& keys, std::uint64_t round,
              std::span<Lanes> out);

}  // namespace hearsay::philox
