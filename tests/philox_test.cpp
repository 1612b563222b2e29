#include "hearsay/simd/philox.h"

#include <vector>

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include "hearsay/random/stream.h"
#include "tests/simd_targets.h"

namespace hearsay {
namespace {

// Number `index` of (key, round), computed by the reference implementation of the generator's
// authors.
double reference(std::uint64_t key, std::uint64_t round, std::uint64_t index) {
  const auto low = [](std::uint64_t bits) { return static_cast<std::uint32_t>(bits); };
  const std::uint64_t block = index / 2;
  const auto drawn =
      r123::Philox4x32()({{low(round), low(round >> 32U), low(block), low(block >> 32U)}},
                         {{low(key), low(key >> 32U)}});
  const std::size_t half = 2 * (index % 2);
  return to_uniform(std::uint64_t{drawn[half + 1]} << 32U | drawn[half]);
}

constexpr std::uint64_t kKey = 0xfedcba9876543210;
constexpr std::uint64_t kRounds[] = {1, 0xffffffff, 0x123456789a};

TEST(Philox, OneKeyMatchesTheReferenceWithEveryTarget) {
  with_every_target([] {
    for (const std::uint64_t round : kRounds) {
      for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{0x1fffffff0}}) {
        for (std::size_t count = 0; count < 40; ++count) {
          std::vector<double> out(count);
          philox::uniforms(kKey, round, first, out);
          for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(out[i], reference(kKey, round, first + i)) << round << " " << i;
          }
        }
      }
    }
  });
}

TEST(Philox, SixteenKeysMatchTheReferenceWithEveryTarget) {
  std::array<std::uint64_t, kLanes> keys{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    keys[lane] = kKey * (lane + 1);
  }
  with_every_target([&] {
    for (const std::uint64_t round : kRounds) {
      for (const std::size_t count : {1U, 2U, 25U}) {
        std::vector<Lanes> out(count);
        philox::uniforms(keys, round, out);
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t lane = 0; lane < kLanes; ++lane) {
            ASSERT_EQ(out[i][lane], reference(keys[lane], round, i)) << round << " " << i;
          }
        }
      }
    }
  });
}

TEST(Philox, FillUniformOfAStreamMatchesItsSingleDraws) {
  const Stream stream(7, Purpose::noise, 3);
  std::vector<double> out(33);
  stream.fill_uniform(5, out, 8);
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i], stream.uniform(5, 8 + i));
  }
}

}  // namespace
}  // namespace hearsay
