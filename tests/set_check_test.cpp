#include "hearsay/certificate/set_check.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "tests/conflict_graphs.h"

namespace hearsay {
namespace {

using testing::largest_set;
using testing::random_conflicts;

ConflictLists lists_of(const ConflictGraph& graph) {
  ConflictLists lists;
  for (Arm arm = 0; arm < graph.size(); ++arm) {
    lists.emplace_back(graph.of(arm).begin(), graph.of(arm).end());
  }
  return lists;
}

bool never() {
  return false;
}

TEST(SetCheck, MatchesBruteForce) {
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t arms = 1 + seed % 16;
    const double density = 0.05 + 0.09 * static_cast<double>(seed % 11);
    const ConflictGraph graph = random_conflicts(arms, density, seed);
    const std::size_t alpha = largest_set(graph).size();
    for (std::size_t size = 0; size <= arms + 1; ++size) {
      ASSERT_EQ(has_independent_set(lists_of(graph), size, never), size <= alpha);
    }
  }
}

TEST(SetCheck, DecidesOnSparseGraphsOfSeveralComponents) {
  // 60 arms in four components of 15 arms, whose independence numbers add up.
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    ConflictLists lists;
    std::size_t alpha = 0;
    for (std::uint64_t part = 0; part < 4; ++part) {
      const ConflictGraph graph = random_conflicts(15, 0.25, 4 * seed + part);
      alpha += largest_set(graph).size();
      const auto first = static_cast<Arm>(lists.size());
      for (const std::vector<Arm>& conflicts : lists_of(graph)) {
        lists.emplace_back();
        for (const Arm other : conflicts) {
          lists.back().push_back(first + other);
        }
      }
    }
    ASSERT_EQ(has_independent_set(lists, alpha, never), true);
    ASSERT_EQ(has_independent_set(lists, alpha + 1, never), false);
  }
}

TEST(SetCheck, IsUndecidedWhenStopped) {
  // The sizes are near the independence numbers, so that a decision takes long.
  const ConflictLists dense = lists_of(random_conflicts(300, 0.4, 1));
  const ConflictLists sparse = lists_of(random_conflicts(300, 0.05, 1));
  int calls = 0;
  const auto stop = [&] { return ++calls > 2; };
  EXPECT_EQ(has_independent_set(dense, 20, stop), std::nullopt);
  calls = 0;
  EXPECT_EQ(has_independent_set(sparse, 95, stop), std::nullopt);
}

}  // namespace
}  // namespace hearsay
