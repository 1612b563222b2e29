#include "hearsay/certificate/reduction.h"

#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/certificate/matching.h"
#include "tests/conflict_graphs.h"

namespace hearsay {
namespace {

using testing::expect_cover;
using testing::is_independent;
using testing::largest_set;
using testing::make_conflicts;
using testing::random_conflicts;

TEST(Reduction, KeepsTheIndependenceNumberAndLiftsSetsAndCovers) {
  std::size_t nonempty_kernels = 0;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t arms = 1 + seed % 15;
    const double degree = 0.5 + 0.5 * static_cast<double>(seed % 11);
    const ConflictGraph graph =
        random_conflicts(arms, std::min(1.0, degree / static_cast<double>(arms)), seed);
    const std::size_t alpha = largest_set(graph).size();
    for (const Reduction::Rules rules : {Reduction::Rules::local, Reduction::Rules::all}) {
      const Reduction reduction(graph, rules, {});
      const ConflictGraph& kernel = reduction.kernel();
      const std::vector<Arm> kernel_set = largest_set(kernel);
      ASSERT_EQ(reduction.taken() + kernel_set.size(), alpha);
      const std::vector<Arm> set = reduction.lift_set(kernel_set);
      ASSERT_EQ(set.size(), alpha);
      ASSERT_TRUE(is_independent(graph, set));
      ASSERT_EQ(reduction.lift_set({}).size(), reduction.taken());

      Cover kernel_cover;
      if (kernel.size() > 0) {
        kernel_cover.push_back({testing::all_arms(kernel), kernel_set.size()});
        ++nonempty_kernels;
      }
      const Cover cover = reduction.lift_cover(kernel_cover);
      ASSERT_EQ(bound_of(cover), alpha);
      expect_cover(graph, cover);
    }
  }
  EXPECT_GT(nonempty_kernels, 20U);
}

TEST(Reduction, ForestsAndCyclesLeaveNoKernel) {
  // A path, a star, a cycle, and a tree in which arm i conflicts with arm (i - 1) / 2.
  const ConflictGraph path = make_conflicts(101, [](Arm i, Arm j) { return j == i + 1; });
  const ConflictGraph star = make_conflicts(50, [](Arm i, Arm) { return i == 0; });
  const ConflictGraph cycle =
      make_conflicts(33, [](Arm i, Arm j) { return j == i + 1 || (i == 0 && j == 32); });
  const ConflictGraph tree = make_conflicts(127, [](Arm i, Arm j) { return (j - 1) / 2 == i; });
  const auto expect_taken = [](const ConflictGraph& graph, std::size_t alpha) {
    const Reduction reduction(graph, Reduction::Rules::local, {});
    EXPECT_EQ(reduction.kernel().size(), 0U);
    EXPECT_EQ(reduction.taken(), alpha);
    EXPECT_TRUE(is_independent(graph, reduction.lift_set({})));
  };
  expect_taken(path, 51);
  expect_taken(star, 49);
  expect_taken(cycle, 16);
  expect_taken(tree, 64 + 16 + 4 + 1);
}

TEST(Reduction, BipartiteGraphsLeaveNoKernel) {
  // The linear relaxation of a bipartite graph is integral. A board of odd side has one square more
  // of one colour than of the other; a board of even side has a perfect matching.
  for (const Arm side : {4U, 9U, 30U}) {
    const ConflictGraph board = make_conflicts(std::size_t{side} * side, [&](Arm i, Arm j) {
      return j == i + side || (j == i + 1 && j % side != 0);
    });
    const Reduction reduction(board, Reduction::Rules::all, {});
    EXPECT_EQ(reduction.kernel().size(), 0U);
    EXPECT_EQ(reduction.taken(), (side * side + 1) / 2);
    EXPECT_TRUE(is_independent(board, reduction.lift_set({})));
  }
}

TEST(Matching, CrownsAreMatchedAndInSomeLargestIndependentSet) {
  std::size_t nonempty = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t arms = 1 + seed % 14;
    const ConflictGraph graph = random_conflicts(
        arms, std::min(1.0, (1 + static_cast<double>(seed % 5)) / static_cast<double>(arms)), seed);
    const DoubleCoverMatching matching = match_double_cover(graph, {});
    for (Arm u = 0; u < arms; ++u) {
      if (const Arm v = matching.right_of[u]; v != DoubleCoverMatching::kUnmatched) {
        ASSERT_EQ(matching.left_of[v], u);
        ASSERT_TRUE(std::ranges::binary_search(graph.of(u), v));
      }
    }
    const Crown crown = find_crown(graph, matching, {});
    ASSERT_TRUE(is_independent(graph, crown.taken));
    std::vector<bool> in_crown(arms);
    for (const Arm arm : crown.taken) {
      in_crown[arm] = true;
    }
    for (const Arm arm : crown.removed) {
      ASSERT_FALSE(in_crown[arm]);
      in_crown[arm] = true;
    }
    std::vector<Arm> removed;
    for (std::size_t i = 0; i < crown.taken.size(); ++i) {
      for (const Arm other : graph.of(crown.taken[i])) {
        ASSERT_TRUE(in_crown[other]);
      }
      if (crown.partner[i] != DoubleCoverMatching::kUnmatched) {
        ASSERT_TRUE(std::ranges::binary_search(graph.of(crown.taken[i]), crown.partner[i]));
        removed.push_back(crown.partner[i]);
      }
    }
    ASSERT_EQ(removed, crown.removed);
    std::vector<Arm> rest;
    for (Arm arm = 0; arm < arms; ++arm) {
      if (!in_crown[arm]) {
        rest.push_back(arm);
      }
    }
    ASSERT_EQ(crown.taken.size() + largest_set(graph, rest).size(), largest_set(graph).size());
    nonempty += crown.taken.empty() ? 0U : 1U;
  }
  EXPECT_GT(nonempty, 500U);
}

TEST(Reduction, EndsWhenStopped) {
  // With 300 conflicts for each arm no local rule looks at more than one of them. To copy the
  // 450,000 conflicts that remain is more work than StopPoll allows between two calls of stop().
  const ConflictGraph graph = random_conflicts(1500, 0.2, 1);
  for (const Reduction::Rules rules : {Reduction::Rules::local, Reduction::Rules::all}) {
    std::size_t calls = 0;
    const Effort effort{.stop = [&] { return ++calls > 0; }};
    EXPECT_THROW(Reduction(graph, rules, effort), Stopped);
    EXPECT_EQ(calls, 1U);
  }
}

}  // namespace
}  // namespace hearsay
