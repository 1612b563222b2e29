#pragma once

// Random numbers as a function without state: a number depends only on (seed, purpose, repetition,
// round, index). So every learner of an experiment meets the same losses and the same noise, and a
// result has the same bits for any number of threads and after a resume.
//
// The generator is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3",
// SC 2011), chosen because SIMD instructions compute its 32-bit products. A block gives two
// numbers.

#include <array>
#include <cstdint>
#include <span>

namespace hearsay {

// What a number is drawn for. Streams of different purposes are independent. Results depend on
// these values, so they must never be renumbered.
enum class Purpose : std::uint32_t {
  draw = 1,  // of the arm to play
  noise = 2,
  losses = 3,
  graph = 4,
  test = 5,         // in tests and benchmarks
  probe = 6,        // arms drawn only to estimate Q
  search = 8,       // for independent sets and covers
  resample = 12,    // bootstrap
  acceptance = 13,  // of logged rounds, by rejection
};

class Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, std::uint64_t repetition = 0);

  // The 128 random bits of (round, block).
  std::array<std::uint64_t, 2> bits(std::uint64_t round, std::uint64_t block = 0) const;

  // Uniform on [0, 1), a multiple of 2^-53, made from one half of bits(round, index / 2). `index`
  // is usually an arm.
  double uniform(std::uint64_t round, std::uint64_t index = 0) const;

  // out[i] = uniform(round, first + i), much faster than one by one. `first` must be even.
  void fill_uniform(std::uint64_t round, std::span<double> out, std::uint64_t first = 0) const;

  // Standard normal (Box-Muller), made from bits(round, index). It uses the same bits as uniform(),
  // so draw only one of the two kinds in a round.
  double normal(std::uint64_t round, std::uint64_t index = 0) const;

  // Identifies the stream.
  std::uint64_t key() const { return key_; }

 private:
  std::uint64_t key_;
};

// Converts 64 random bits to a uniform number in [0, 1), using the upper 53.
inline double to_uniform(std::uint64_t bits) {
  return static_cast<double>(bits >> 11U) * 0x1p-53;
}

}  // namespace hearsay
