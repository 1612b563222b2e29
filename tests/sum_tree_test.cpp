#include "hearsay/learner/sum_tree.h"

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/random/stream.h"

namespace hearsay {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 8, 9, 64, 65, 1000};

std::vector<double> some_weights(std::size_t size) {
  std::vector<double> weights(size);
  Stream(4, Purpose::test).fill_uniform(1, weights);
  for (std::size_t i = 0; i + 1 < size; i += 3) {
    weights[i] = 0;
  }
  return weights;
}

TEST(SumTree, MatchesALinearScan) {
  for (const std::size_t size : kSizes) {
    const std::vector<double> weights = some_weights(size);
    SumTree tree(size);
    tree.assign(weights);
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    EXPECT_NEAR(tree.total(), total, 1e-12 * total);
    // Shares in the middle of every weight, where no rounding of the sums matters.
    double before = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (weights[i] > 1e-6) {
        EXPECT_EQ(tree.find((before + weights[i] / 2) / total), i) << size;
      }
      before += weights[i];
    }
  }
}

TEST(SumTree, NeverFindsAWeightOfZero) {
  for (const std::size_t size : kSizes) {
    const std::vector<double> weights = some_weights(size);
    SumTree tree(size);
    tree.assign(weights);
    for (std::uint64_t k = 0; k < 2000; ++k) {
      const double share = k == 0   ? 0
                           : k == 1 ? 1 - 0x1p-53
                                    : Stream(4, Purpose::test).uniform(2, k);
      EXPECT_GT(tree[tree.find(share)], 0) << size << " " << share;
    }
  }
}

// The largest share is one rounding below the total, and the partial sums may be a rounding below
// that. If only zeros follow, the last positive weight must still be found.
TEST(SumTree, FindsTheLastWeightBeforeZeros) {
  for (std::uint64_t k = 0; k < 2000; ++k) {
    for (const std::size_t size : {8UL, 50UL}) {
      std::vector<double> weights(size);
      Stream(4, Purpose::test).fill_uniform(3 + k, std::span(weights).first(size - 1));
      SumTree tree(size);
      tree.assign(weights);
      EXPECT_EQ(tree.find(1 - 0x1p-53), size - 2) << k;
    }
  }
}

TEST(SumTree, HasTheSameTotalWhetherSetOneByOneOrAtOnce) {
  for (const std::size_t size : kSizes) {
    const std::vector<double> weights = some_weights(size);
    SumTree at_once(size);
    at_once.assign(weights);
    SumTree one_by_one(size);
    for (std::size_t i = size; i-- > 0;) {
      one_by_one.set(i, 7.5);
      one_by_one.set(i, weights[i]);
    }
    EXPECT_EQ(one_by_one.total(), at_once.total());
  }
}

}  // namespace
}  // namespace hearsay
