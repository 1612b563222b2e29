#pragma once

// Randomness as a function, not a state: what is drawn depends only on (seed, purpose, repetition,
// round, index). So every learner of an experiment meets the same losses and the same noise, and a
// result has the same bits for any number of threads and after a resume.
//
// The generator is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011), two numbers a block: its 32-bit products are the ones that SIMD has.

#include <array>
#include <cstdint>
#include <span>

namespace hearsay {

// What a number is drawn for. Streams of different purposes are independent. The values are part of
// every result: never renumber one.
enum class Purpose : std::uint32_t {
  draw = 1,
  noise = 2,
  losses = 3,
  graph = 4,
  test = 5,
  probe = 6,  // arms drawn only to estimate Q
  search = 8,
};

class Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, std::uint64_t repetition = 0);

  // 128 random bits of their own for every (round, block).
  std::array<std::uint64_t, 2> bits(std::uint64_t round, std::uint64_t block = 0) const;

  // Uniform on [0, 1), a multiple of 2^-53. `index`: usually an arm. Half of bits(round, index /
  // 2).
  double uniform(std::uint64_t round, std::uint64_t index = 0) const;

  // out[i] = uniform(round, first + i), `first` even: many at once, at a fraction of the work.
  void fill_uniform(std::uint64_t round, std::span<double> out, std::uint64_t first = 0) const;

  // Standard normal (Box-Muller), from bits(round, index): in one round draw either these or
  // uniform numbers.
  double normal(std::uint64_t round, std::uint64_t index = 0) const;

  // Names the stream among all others.
  std::uint64_t key() const { return key_; }

 private:
  std::uint64_t key_;
};

// The uniform number in [0, 1) that 64 random bits make: their upper 53.
inline double to_uniform(std::uint64_t bits) {
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

}  // namespace hearsay
