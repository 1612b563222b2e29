#include "hearsay/random/stream.h"

#include <cmath>
#include <numbers>

#include <Random123/philox.h>

#include "hearsay/simd/philox.h"

namespace hearsay {
namespace {

std::uint32_t low(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits);
}
std::uint32_t high(std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits >> 32U);
}
std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return std::uint64_t{high} << 32U | low;
}

}  // namespace

// The 64-bit key is computed by the wider Philox from everything that identifies a stream. Two
// streams have the same key with the probability that two random 64-bit numbers are equal.
Stream::Stream(std::uint64_t seed, Purpose purpose, std::uint64_t repetition)
    : key_(r123::Philox4x64()({{static_cast<std::uint64_t>(purpose), repetition, 0, 0}},
                              {{seed, 0}})[0]) {}

std::array<std::uint64_t, 2> Stream::bits(std::uint64_t round, std::uint64_t block) const {
  const r123::Philox4x32::ctr_type counter = {{low(round), high(round), low(block), high(block)}};
  const r123::Philox4x32::key_type key = {{low(key_), high(key_)}};
  const auto drawn = r123::Philox4x32()(counter, key);
  return {join(drawn[0], drawn[1]), join(drawn[2], drawn[3])};
}

double Stream::uniform(std::uint64_t round, std::uint64_t index) const {
  return to_uniform(bits(round, index / 2)[index % 2]);
}

void Stream::fill_uniform(std::uint64_t round, std::span<double> out, std::uint64_t first) const {
  philox::uniforms(key_, round, first, out);
}

double Stream::normal(std::uint64_t round, std::uint64_t index) const {
  const auto drawn = bits(round, index);
  // 1 - to_uniform() is in (0, 1], so the logarithm is finite.
  const double radius = std::sqrt(-2 * std::log(1 - to_uniform(drawn[0])));
  return radius * std::cos(2 * std::numbers::pi * to_uniform(drawn[1]));
}

}  // namespace hearsay
