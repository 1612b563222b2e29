#include "hearsay/random/stream.h"

#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace hearsay {
namespace {

TEST(Stream, FillUniformMatchesSingleDraws) {
  const Stream stream(1, Purpose::noise, 2);
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<double> filled(n);
    stream.fill_uniform(17, filled);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(filled[i], stream.uniform(17, i));
    }
  }
}

TEST(Stream, BitsDependOnSeedPurposeRepetitionRoundAndBlock) {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 40U}) {
    for (const Purpose purpose : {Purpose::draw, Purpose::noise}) {
      for (const std::uint64_t repetition : {0ULL, 1ULL, 1ULL << 40U}) {
        for (const std::uint64_t round : {0ULL, 1ULL, 1ULL << 40U}) {
          for (const std::uint64_t block : {0ULL, 1ULL, 1ULL << 40U}) {
            for (const std::uint64_t bits : Stream(seed, purpose, repetition).bits(round, block)) {
              EXPECT_TRUE(seen.insert(bits).second);
            }
          }
        }
      }
    }
  }
}

// All results depend on these numbers, so they must never change.
TEST(Stream, HasFixedReferenceBits) {
  EXPECT_EQ(Stream(1, Purpose::draw).bits(1)[0], 6140228920374553319U);
  EXPECT_EQ(Stream(2, Purpose::noise, 3).bits(4, 5)[1], 2367972842495991957U);
}

// The tolerance is five standard errors. Those of the mean and the variance are 1 / sqrt(12 n) and
// 1 / sqrt(180 n) for uniform numbers, 1 / sqrt(n) and sqrt(2 / n) for normal ones.
TEST(Stream, HasTheMeanAndVarianceOfItsDistributions) {
  constexpr int kDraws = 200'000;
  const Stream stream(5, Purpose::test);
  double mean = 0;
  double square = 0;
  double normal_mean = 0;
  double normal_square = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const double u = stream.uniform(1, i);
    ASSERT_TRUE(u >= 0 && u < 1);
    mean += u / kDraws;
    square += (u - 0.5) * (u - 0.5) / kDraws;
    const double z = stream.normal(2, i);
    normal_mean += z / kDraws;
    normal_square += z * z / kDraws;
  }
  EXPECT_NEAR(mean, 0.5, 5 / std::sqrt(12.0 * kDraws));
  EXPECT_NEAR(square, 1.0 / 12, 5 / std::sqrt(180.0 * kDraws));
  EXPECT_NEAR(normal_mean, 0, 5 / std::sqrt(1.0 * kDraws));
  EXPECT_NEAR(normal_square, 1, 5 * std::sqrt(2.0 / kDraws));
}

}  // namespace
}  // namespace hearsay
