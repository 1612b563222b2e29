#pragma once

// Philox4x32-10, many blocks at once. A block is 128 bits, two numbers: those of blocks 0, 1, ...
// of (key, round) one after the other make the sequence that Stream counts by index.

#include <array>
#include <cstdint>
#include <span>

#include "hearsay/simd/lanes.h"

namespace hearsay::philox {

// out[i] = number first + i of (key, round), uniform on [0, 1). `first` is even.
void uniforms(std::uint64_t key, std::uint64_t round, std::uint64_t first, std::span<double> out);

// out[i][lane] = number i of (keys[lane], round).
void uniforms(const std::array<std::uint64_t, kLanes>& keys, std::uint64_t round,
              std::span<Lanes> out);

}  // namespace hearsay::philox
