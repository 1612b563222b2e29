#include "hearsay/certificate/alpha_bounds.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/random_source.h"

namespace hearsay {
namespace {

TEST(AlphaBounds, HaveAProofExactlyIfAKnownBoundImpliesIt) {
  RandomSource dice(1);
  AlphaBounds bounds({.size = 20, .threshold = 1});
  std::vector<AlphaBound> all = {{.size = 20, .threshold = 1}};
  const auto is_implied = [&](std::size_t size, double threshold) {
    return std::ranges::any_of(all, [&](const AlphaBound& bound) {
      return bound.size <= size && bound.threshold >= threshold;
    });
  };
  for (int k = 0; k < 100; ++k) {
    const AlphaBound bound{.size = 1 + dice.below(20), .threshold = dice.uniform()};
    EXPECT_EQ(bounds.add(bound), !is_implied(bound.size, bound.threshold));
    all.push_back(bound);
    for (int trial = 0; trial < 20; ++trial) {
      const std::size_t size = dice.below(21);
      const double threshold = dice.uniform();
      const AlphaBound* proof = bounds.proof_of(size, threshold);
      ASSERT_EQ(proof != nullptr, is_implied(size, threshold));
      if (proof != nullptr) {
        EXPECT_LE(proof->size, size);
        EXPECT_GE(proof->threshold, threshold);
      }
    }
  }
}

TEST(AlphaBounds, ReleaseOnlyTheCoversThatAreNotNeeded) {
  AlphaBounds bounds({.size = 3, .threshold = 1, .cover = std::make_shared<const Cover>()});
  ASSERT_TRUE(bounds.add({.size = 2, .threshold = 0.5, .cover = std::make_shared<const Cover>()}));
  bounds.release_covers([](const AlphaBound& bound) { return bound.size == 2; });
  EXPECT_EQ(bounds.proof_of(3, 1)->cover, nullptr);
  EXPECT_NE(bounds.proof_of(2, 0.5)->cover, nullptr);
}

}  // namespace
}  // namespace hearsay
