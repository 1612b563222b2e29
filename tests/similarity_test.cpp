// Graphs from similarities and distances, and the choice of the arcs that are kept.

#include "hearsay/graph/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/storage.h"
#include "hearsay/graph/thin.h"
#include "hearsay/random/stream.h"

namespace hearsay {
namespace {

void expect_equal_weights(const Graph& one, const Graph& other) {
  ASSERT_EQ(one.arms(), other.arms());
  for (Arm played = 0; played < one.arms(); ++played) {
    for (Arm seen = 0; seen < one.arms(); ++seen) {
      EXPECT_EQ(one.weight(played, seen), other.weight(played, seen)) << played << ' ' << seen;
    }
  }
}

Graph random_graph(std::size_t arms, std::uint64_t seed) {
  return make_uniform({.arms = arms}, Stream(seed, Purpose::graph));
}

TEST(Similarity, WeightsAreTheSimilaritiesUpToRounding) {
  const Graph graph = from_similarity(2, {1 + 9e-7, 0.25, 1 + 5e-7, 1 - 9e-7});
  EXPECT_EQ(graph.self_weight(), 1);
  EXPECT_EQ(graph.weight(0, 1), 0.25);
  EXPECT_EQ(graph.weight(1, 0), 1);
  EXPECT_EQ(from_similarity(2, {1, -5e-7, 0, 1}).weight(0, 1), 0);
}

TEST(Similarity, AListOfPairsGivesTheSameGraphAsTheMatrix) {
  expect_equal_weights(from_similarity(3, {1, 0.5, 0, 0, 1, 0, 0.25, 0, 1}),
                       from_similarity(3, {Arc{2, 0, 0.25}, {0, 1, 0.5}, {1, 1, 1 - 1e-7}}));
}

struct Refusal {
  std::vector<double> matrix;
  Arm played;
  Arm seen;
};

TEST(Similarity, InvalidSimilaritiesAreRefusedAndThePairIsNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Refusal> refusals = {{{1, 0, 0, 0.5}, 1, 1},      {{0, 0, 0, 1}, 0, 0},
                                         {{1, 1.1, 0, 1}, 0, 1},      {{1, 0, -0.1, 1}, 1, 0},
                                         {{1, nan, 0, 1}, 0, 1},      {{1, 0, 0, nan}, 1, 1},
                                         {{1, 0, 1 + 2e-6, 1}, 1, 0}, {{1 - 2e-6, 0, 0, 1}, 0, 0}};
  for (const Refusal& refusal : refusals) {
    try {
      from_similarity(2, refusal.matrix);
      FAIL();
    } catch (const ArcError& error) {
      EXPECT_EQ(error.played(), refusal.played) << error.what();
      EXPECT_EQ(error.seen(), refusal.seen) << error.what();
    }
  }
  EXPECT_THROW(from_similarity(2, {1, 0, 0}), Error);
  EXPECT_THROW(from_similarity(0, std::vector<double>()), Error);
  EXPECT_THROW(from_similarity(std::size_t{1} << 32U, std::vector<double>()), Error);
}

TEST(Distances, EveryLawMatchesItsFormula) {
  const std::vector<double> distances = {0, 0.5, 2, 0};
  const auto weights = [&](const char* law) {
    const Graph graph = from_distances(2, distances, parse_distance_weight(law));
    return std::vector<double>{graph.weight(0, 1), graph.weight(1, 0)};
  };
  EXPECT_EQ(weights("inverse-square-cap:1"), (std::vector<double>{1, 0.25}));
  EXPECT_EQ(weights("inverse-one-plus-square"), (std::vector<double>{0.8, 0.2}));
  EXPECT_EQ(weights("inverse-square-one-plus"), (std::vector<double>{1 / 2.25, 1.0 / 9}));
  EXPECT_EQ(weights("gaussian:2"), (std::vector<double>{std::exp(-0.03125), std::exp(-0.5)}));
  EXPECT_EQ(weights("exponential:4"), (std::vector<double>{std::exp(-0.125), std::exp(-0.5)}));
}

TEST(Distances, DistancesOnAGridGiveTheGridGraph) {
  for (const char* law : {"inverse-square-cap:3", "inverse-one-plus-square", "gaussian:1.5"}) {
    const DistanceWeight kernel = parse_distance_weight(law);
    EXPECT_EQ(distance_weight_text(kernel), law);
    const Graph grid = make_grid({.side = 4, .weight = kernel});
    std::vector<double> distances;
    for (int i = 0; i < 16; ++i) {
      for (int j = 0; j < 16; ++j) {
        distances.push_back(std::hypot(i / 4 - j / 4, i % 4 - j % 4));
      }
    }
    const Graph from_matrix = from_distances(16, distances, kernel);
    for (Arm played = 0; played < 16; ++played) {
      for (Arm seen = 0; seen < 16; ++seen) {
        // The squared distance is rounded twice, once by the root and once by the square.
        EXPECT_NEAR(from_matrix.weight(played, seen), grid.weight(played, seen), 1e-14) << law;
      }
    }
  }
}

TEST(Distances, InvalidDistancesAreRefusedAndThePairIsNamed) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Refusal> refusals = {
      {{0, -1, 1, 0}, 0, 1}, {{0, 1, infinity, 0}, 1, 0}, {{0, 1, 1, 1}, 1, 1}};
  for (const Refusal& refusal : refusals) {
    try {
      from_distances(2, refusal.matrix, {});
      FAIL();
    } catch (const ArcError& error) {
      EXPECT_EQ(error.played(), refusal.played) << error.what();
      EXPECT_EQ(error.seen(), refusal.seen) << error.what();
    }
  }
  EXPECT_THROW(from_distances(1, std::vector<double>{0}, parse_distance_weight("gaussian:0")),
               Error);
}

// The arcs of a row, sorted by the definition, are the oracle.
TEST(Nearest, KeepsTheLargestWeightsOfEveryRow) {
  const Graph graph = random_graph(12, 3);
  for (const std::size_t count : {0U, 1U, 4U, 11U, 100U}) {
    const Graph kept = nearest(graph, count);
    for (Arm played = 0; played < 12; ++played) {
      std::vector<double> weights;
      graph.for_each_seen(played, [&](Arm seen, double weight) {
        if (seen != played) {
          weights.push_back(weight);
        }
      });
      std::ranges::sort(weights, std::greater<>());
      weights.resize(std::min(count, weights.size()));
      std::vector<double> found;
      kept.for_each_seen(played, [&](Arm seen, double weight) {
        EXPECT_EQ(weight, graph.weight(played, seen));
        if (seen != played) {
          found.push_back(weight);
        }
      });
      std::ranges::sort(found, std::greater<>());
      EXPECT_EQ(found, weights);
    }
  }
}

TEST(Nearest, KeepsTheSmallerIndicesAmongEqualWeights) {
  const Graph kept = nearest(make_constant({.arms = 4, .weight = 0.5}), 2);
  expect_equal_weights(kept, Graph::dense(4, {1, 0.5, 0.5, 0,  //
                                              0.5, 1, 0.5, 0,  //
                                              0.5, 0.5, 1, 0,  //
                                              0.5, 0.5, 0, 1}));
}

TEST(Symmetrize, MatchesTheDefinitionInBothStorages) {
  const Graph dense = random_graph(9, 5);
  for (const Graph& graph : {dense, thin(dense, 0.7)}) {
    const Graph larger = symmetrize(graph, Symmetry::max);
    const Graph smaller = symmetrize(graph, Symmetry::min);
    const Graph mean = symmetrize(graph, Symmetry::mean);
    for (Arm i = 0; i < 9; ++i) {
      for (Arm j = 0; j < 9; ++j) {
        const double one = graph.weight(i, j);
        const double other = graph.weight(j, i);
        EXPECT_EQ(larger.weight(i, j), std::max(one, other));
        EXPECT_EQ(smaller.weight(i, j), std::min(one, other));
        EXPECT_DOUBLE_EQ(mean.weight(i, j), (one + other) / 2);
      }
    }
  }
  EXPECT_EQ(parse_symmetry("mean"), Symmetry::mean);
  EXPECT_THROW(parse_symmetry("middle"), Error);
}

}  // namespace
}  // namespace hearsay
