#include "hearsay/certificate/clique_cover.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/certificate/cycle_cover.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/certificate/independent_set.h"
#include "hearsay/graph/families.h"
#include "tests/conflict_graphs.h"

namespace hearsay {
namespace {

using testing::expect_cover;
using testing::is_independent;
using testing::largest_set;
using testing::make_conflicts;
using testing::random_conflicts;

// An arm joins the first clique that it fits into. So two arms that are alone in their cliques are
// not in conflict: such arms are an independent set, and all other cliques have two arms or more.
TEST(CliqueCover, TheFirstFitCoverHasEveryArmOnceAndOnlyCliques) {
  for (const Graph& graph :
       {make_uniform({.arms = 60}, Stream(1, Purpose::graph)),
        make_erdos_renyi({.arms = 60, .probability = 0.3}, Stream(1, Purpose::graph))}) {
    for (const double threshold : {0.3, 0.9, 1.0}) {
      const ThresholdGraph conflicts = Strengths(graph, {}).at(threshold, {});
      const auto* const bits = std::get_if<BitMatrix>(&conflicts);
      const Cover cover = first_fit_cover(graph, threshold, {});
      expect_cover(bits != nullptr ? to_conflicts(*bits) : std::get<ConflictGraph>(conflicts),
                   cover);
      EXPECT_LE(2 * cover.size(), 60 + independence_number(graph, threshold).lower) << threshold;
    }
  }
  EXPECT_THROW(first_fit_cover(make_constant({.arms = 3000, .weight = 0.1}), 0.2,
                               {.stop = [] { return true; }}),
               Stopped);
}

TEST(CliqueCover, CoversEveryArmByCliquesAndBoundsTheIndependenceNumber) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t arms = 1 + seed % 16;
    const ConflictGraph graph =
        random_conflicts(arms, 0.1 * static_cast<double>(1 + seed % 9), seed);
    const std::size_t alpha = largest_set(graph).size();
    CliqueCoverSearch search(graph, seed, {});
    EXPECT_EQ(clique_cover_size(graph), search.size());
    std::size_t before = search.size();
    for (int round = 0; round < 3; ++round) {
      search.improve(2000, alpha, {});
      EXPECT_LE(search.size(), before);
      before = search.size();
      expect_cover(graph, search.cover());
      EXPECT_EQ(bound_of(search.cover()), search.size());
    }
    EXPECT_GE(search.size(), alpha);
    const Cover by_bits = clique_cover(to_compatible(graph));
    expect_cover(graph, by_bits);
    EXPECT_TRUE(
        std::ranges::all_of(by_bits, [](const CoverGroup& group) { return group.bound == 1; }));
  }
}

TEST(CycleCover, CoversEveryArmByCliquesAndOddCycles) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t arms = 1 + seed % 16;
    const ConflictGraph graph =
        random_conflicts(arms, 0.05 * static_cast<double>(1 + seed % 9), seed);
    CycleCoverSearch search(graph, seed, {});
    expect_cover(graph, search.cover());
    const std::size_t first = search.bound();
    search.improve(5000, 0, {});
    expect_cover(graph, search.cover());
    EXPECT_EQ(bound_of(search.cover()), search.bound());
    EXPECT_LE(search.bound(), first);
  }
}

TEST(CycleCover, FindsDisjointOddCycles) {
  // Twelve cycles of seven arms, of each of which three arms are independent.
  const ConflictGraph graph = make_conflicts(84, [](Arm i, Arm j) {
    return i / 7 == j / 7 && (j == i + 1 || (i % 7 == 0 && j % 7 == 6));
  });
  EXPECT_EQ(CycleCoverSearch(graph, 1, {}).bound(), 36U);
  EXPECT_EQ(CliqueCoverSearch(graph, 1, {}).size(), 48U);
}

TEST(GreedyIndependentSet, IsIndependentAndNoArmCanBeAdded) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t arms = 1 + seed % 40;
    const ConflictGraph graph = random_conflicts(arms, 0.1 * static_cast<double>(seed % 10), seed);
    std::vector<Arm> set = greedy_independent_set(graph, {});
    EXPECT_TRUE(std::ranges::is_sorted(set));
    EXPECT_TRUE(is_independent(graph, set));
    for (Arm arm = 0; arm < arms; ++arm) {
      if (!std::ranges::binary_search(set, arm)) {
        std::vector<Arm> larger = set;
        larger.push_back(arm);
        EXPECT_FALSE(is_independent(graph, larger));
      }
    }
  }
}

}  // namespace
}  // namespace hearsay
