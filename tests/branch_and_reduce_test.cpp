#include "hearsay/certificate/branch_and_reduce.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "tests/conflict_graphs.h"

namespace hearsay {
namespace {

using testing::is_independent;
using testing::largest_set;
using testing::random_conflicts;

TEST(BranchAndReduce, MatchesBruteForce) {
  constexpr std::uint64_t kEnough = 1'000'000;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t arms = 1 + seed % 18;
    const double density = 0.05 + 0.08 * static_cast<double>(seed % 8);
    const ConflictGraph graph = random_conflicts(arms, density, seed);
    const std::size_t alpha = largest_set(graph).size();
    for (std::size_t size = 0; size <= alpha; ++size) {
      const LargerSet result = find_larger_set(graph, size, kEnough, {});
      ASSERT_EQ(result.outcome,
                size < alpha ? LargerSet::Outcome::found : LargerSet::Outcome::none);
      if (size < alpha) {
        ASSERT_EQ(result.set.size(), alpha);
        ASSERT_TRUE(is_independent(graph, result.set));
      }
    }
  }
}

TEST(BranchAndReduce, IsUndecidedWhenTheNodesRunOut) {
  const ConflictGraph graph = random_conflicts(400, 0.03, 1);
  const LargerSet result = find_larger_set(graph, 10, 200, {});
  EXPECT_EQ(result.outcome, LargerSet::Outcome::undecided);
  EXPECT_TRUE(is_independent(graph, result.set));
}

TEST(BranchAndReduce, IsUndecidedWhenStopped) {
  const ConflictGraph graph = random_conflicts(3000, 0.003, 1);
  int calls = 0;
  const Effort effort{.stop = [&] { return ++calls > 3; }};
  EXPECT_EQ(find_larger_set(graph, 900, ~std::uint64_t{0}, effort).outcome,
            LargerSet::Outcome::undecided);
  EXPECT_LT(calls, 20);
}

}  // namespace
}  // namespace hearsay
