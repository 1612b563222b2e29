#include "hearsay/random/stream.h"

#include <cmath>
#include <numbers>

#include <Random123/philox.h>

namespace hearsay {

std::array<std::uint64_t, 4> Stream::bits(std::uint64_t round, std::uint64_t block) const {
  const r123::Philox4x64::ctr_type counter = {{round, block, repetition_, 0}};
  const r123::Philox4x64::key_type key = {{seed_, static_cast<std::uint64_t>(purpose_)}};
  const auto drawn = r123::Philox4x64()(counter, key);
  return {drawn[0], drawn[1], drawn[2], drawn[3]};
}

double Stream::uniform(std::uint64_t round, std::uint64_t index) const {
  return to_uniform(bits(round, index / 4)[index % 4]);
}

void Stream::fill_uniform(std::uint64_t round, std::span<double> out) const {
  for (std::size_t i = 0; i < out.size(); i += 4) {
    const auto drawn = bits(round, i / 4);
    for (std::size_t k = 0; k < 4 && i + k < out.size(); ++k) {
      out[i + k] = to_uniform(drawn[k]);
    }
  }
}

double Stream::normal(std::uint64_t round, std::uint64_t index) const {
  const auto drawn = bits(round, index / 2);
  const std::size_t first = 2 * (index % 2);
  const double radius =
      std::sqrt(-2 * std::log(1 - to_uniform(drawn[first])));  // of (0, 1]: no log(0)
  return radius * std::cos(2 * std::numbers::pi * to_uniform(drawn[first + 1]));
}

}  // namespace hearsay
