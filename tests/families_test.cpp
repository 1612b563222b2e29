#include "hearsay/graph/families.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/graph/summary.h"

namespace hearsay {
namespace {

// Expects an undirected graph with weights 1 and that number of edges.
void expect_edges(const Graph& graph, std::size_t arms, std::size_t edges) {
  const GraphSummary summary = summarize(graph);
  EXPECT_EQ(summary.arms, arms);
  EXPECT_EQ(summary.arcs, 2 * edges);
  EXPECT_TRUE(summary.symmetric);
  EXPECT_EQ(summary.self_weight, 1);
  EXPECT_EQ(summary.smallest_weight.value_or(1), 1);
  EXPECT_EQ(summary.largest_weight.value_or(1), 1);
}

std::size_t degree(const Graph& graph, Arm arm) {
  std::size_t seen = 0;
  graph.for_each_seen(arm, [&](Arm, double) { ++seen; });
  return seen - 1;  // without the arm itself
}

void expect_regular(const Graph& graph, std::size_t expected) {
  for (Arm arm = 0; arm < graph.arms(); ++arm) {
    ASSERT_EQ(degree(graph, arm), expected) << arm;
  }
}

// The size of the largest set of arms that all show each other, by exhaustive search.
std::size_t largest_clique(const Graph& graph, std::vector<Arm> candidates) {
  std::size_t largest = 0;
  while (largest < candidates.size()) {
    const Arm arm = candidates.back();
    candidates.pop_back();
    std::vector<Arm> shown;
    std::ranges::copy_if(candidates, std::back_inserter(shown),
                         [&](Arm other) { return graph.weight(arm, other) > 0; });
    largest = std::max(largest, 1 + largest_clique(graph, shown));
  }
  return largest;
}

std::size_t clique_number(const Graph& graph) {
  std::vector<Arm> arms(graph.arms());
  for (Arm arm = 0; arm < graph.arms(); ++arm) {
    arms[arm] = arm;
  }
  return largest_clique(graph, arms);
}

TEST(Families, GridWeightsFollowTheDistanceLaw) {
  using Law = DistanceWeight::Law;
  const auto weight_at = [](Law law, double d) {
    switch (law) {
      case Law::inverse_square_cap:
        return std::min(3 / (d * d), 1.0);
      case Law::inverse_one_plus_square:
        return 1 / (1 + d * d);
      case Law::inverse_square_one_plus:
        return std::pow(1 + d, -2);
      case Law::gaussian:
        return std::exp(-d * d / 2);
      case Law::exponential:
        return std::exp(-d);
    }
    return 0.0;
  };
  for (const Law law : {Law::inverse_square_cap, Law::inverse_one_plus_square,
                        Law::inverse_square_one_plus, Law::gaussian, Law::exponential}) {
    for (const std::optional<double> spacing : {std::optional(1.0), std::optional(0.7), {}}) {
      const std::size_t side = 4;
      const Graph grid = make_grid({.side = side, .spacing = spacing, .weight = {.law = law}});
      ASSERT_EQ(grid.arms(), side * side);
      EXPECT_TRUE(summarize(grid).symmetric);
      for (Arm played = 0; played < 16; ++played) {
        for (Arm seen = 0; seen < 16; ++seen) {
          const auto difference = [&](Arm a, Arm b) {
            return (static_cast<double>(a) - static_cast<double>(b)) * spacing.value_or(1.0 / 3);
          };
          const double dx = difference(played % 4, seen % 4);
          const double dy = difference(played / 4, seen / 4);
          const double expected = played == seen ? 1 : weight_at(law, std::hypot(dx, dy));
          // The error of a few roundings of numbers up to 1.
          EXPECT_NEAR(grid.weight(played, seen), expected, 1e-15);
        }
      }
    }
  }
}

// Weights min(3/d^2, 1) on the 5 x 5 grid: 1 for d^2 = 1, and one for each larger squared distance.
TEST(Families, TheGridOfThePaperHasThirteenWeights) {
  const Graph grid = make_grid({});
  std::set<double> weights;
  for (Arm seen = 0; seen < 25; ++seen) {
    grid.for_each_seen(seen, [&](Arm, double weight) { weights.insert(weight); });
  }
  std::set<double> expected;
  for (const int squared : {1, 4, 5, 8, 9, 10, 13, 16, 17, 18, 20, 25, 32}) {
    expected.insert(std::min(3.0 / squared, 1.0));
  }
  EXPECT_EQ(weights, expected);
  EXPECT_EQ(expected.size(), 13U);
}

TEST(Families, GridMayHaveOneArm) {
  EXPECT_EQ(make_grid({.side = 1, .spacing = {}}).arms(), 1U);
}

TEST(Families, DistanceLawsAreParsedByName) {
  EXPECT_EQ(parse_distance_weight("inverse-square-cap:2.5").cap, 2.5);
  EXPECT_EQ(parse_distance_weight("inverse-one-plus-square")(3), 0.25);
  EXPECT_EQ(parse_distance_weight("inverse-square-one-plus")(9), 0.0625);
  EXPECT_EQ(parse_distance_weight("gaussian:2.5").scale, 2.5);
  EXPECT_EQ(parse_distance_weight("exponential:2")(16), std::exp(-2.0));
  for (const char* text :
       {"", "inverse-square-cap", "inverse-square-cap:", "inverse-square-cap:3x",
        "inverse-square-cap:0", "inverse-square-cap:-1", "inverse-square-cap:nan",
        "inverse-square-cap:inf", "gaussian", "gaussian:0", "exponential:-1", "exponential2"}) {
    EXPECT_THROW(make_grid({.weight = parse_distance_weight(text)}), Error) << text;
  }
}

TEST(Families, UniformWeightsAreTheNumbersOfTheStream) {
  const Stream stream(3, Purpose::graph);
  const Graph graph = make_uniform({.arms = 9, .low = 0.25, .high = 0.75}, stream, 5);
  const Graph symmetric = make_uniform(
      {.arms = 9, .low = 0.25, .high = 0.75, .directions = Directions::symmetric}, stream, 5);
  for (Arm played = 0; played < 9; ++played) {
    for (Arm seen = 0; seen < 9; ++seen) {
      const double drawn = 0.25 + 0.5 * stream.uniform(5, played * 9 + seen);
      EXPECT_EQ(graph.weight(played, seen), played == seen ? 1 : drawn);
      EXPECT_EQ(symmetric.weight(std::max(played, seen), std::min(played, seen)),
                graph.weight(std::min(played, seen), std::max(played, seen)));
    }
  }
  EXPECT_FALSE(summarize(graph).symmetric);
  EXPECT_TRUE(summarize(symmetric).symmetric);
}

TEST(Families, ErdosRenyiHasNoArcsAtProbabilityZeroAndAllAtOne) {
  const Stream stream(4, Purpose::graph);
  for (const Directions directions : {Directions::independent, Directions::symmetric}) {
    const auto with_probability = [&](double probability) {
      return make_erdos_renyi(
          {.arms = 30, .probability = probability, .weight = 0.5, .directions = directions},
          stream);
    };
    const Graph empty = with_probability(0);
    const Graph complete = with_probability(1);
    EXPECT_EQ(empty.arc_count(), 0U);
    EXPECT_EQ(complete.arc_count(), 30U * 29U);
    EXPECT_EQ(complete.weight(3, 29), 0.5);
    EXPECT_EQ(complete.weight(3, 3), 1.0);
    EXPECT_EQ(empty.weight(3, 3), 1.0);
  }
}

// Counts over many graphs how often every pair is an arc, how often together with the next pair of
// its row (which would reveal wrong gaps), and how often together with the same pair of the next
// row (which would reveal rows with the same random numbers).
TEST(Families, ErdosRenyiArcsAreIndependentWithTheGivenProbability) {
  constexpr std::size_t kArms = 7;
  constexpr int kGraphs = 20'000;
  for (const double probability : {0.03, 0.3, 0.9}) {
    for (const Directions directions : {Directions::independent, Directions::symmetric}) {
      std::array<std::array<int, kArms>, kArms> count{};
      std::array<std::array<int, kArms>, kArms> count_with_next{};
      std::array<std::array<int, kArms>, kArms> count_with_below{};
      for (int k = 0; k < kGraphs; ++k) {
        const Graph graph = make_erdos_renyi(
            {.arms = kArms, .probability = probability, .weight = 0.5, .directions = directions},
            Stream(7, Purpose::graph), static_cast<std::uint64_t>(k));
        for (Arm i = 0; i < kArms; ++i) {
          for (Arm j = 0; j < kArms; ++j) {
            const bool is_arc = i != j && graph.weight(i, j) > 0;
            count[i][j] += is_arc ? 1 : 0;
            count_with_next[i][j] += is_arc && j + 1 < kArms && graph.weight(i, j + 1) > 0 ? 1 : 0;
            count_with_below[i][j] += is_arc && i + 1 < kArms && graph.weight(i + 1, j) > 0 ? 1 : 0;
          }
        }
        if (directions == Directions::symmetric) {
          EXPECT_TRUE(summarize(graph).symmetric);
        }
      }
      // Six standard deviations, because there are about 700 counts in all.
      const auto expect_near = [&](int measured, double expected) {
        EXPECT_NEAR(measured, kGraphs * expected,
                    6 * std::sqrt(kGraphs * expected * (1 - expected)));
      };
      for (Arm i = 0; i < kArms; ++i) {
        for (Arm j = 0; j < kArms; ++j) {
          if (i != j) {
            expect_near(count[i][j], probability);
          }
          if (i != j && i != j + 1 && j + 1 < kArms) {
            expect_near(count_with_next[i][j], probability * probability);
          }
          if (i != j && i + 1 != j && i + 1 < kArms) {
            expect_near(count_with_below[i][j], probability * probability);
          }
        }
      }
    }
  }
}

TEST(Families, ErdosRenyiIsTheSameForAnyNumberOfThreads) {
  const Stream stream(4, Purpose::graph);
  const auto on_threads = [&](std::size_t threads) {
    return make_erdos_renyi({.arms = 1000, .probability = 0.01, .weight = 0.5}, stream, 0, threads);
  };
  const Graph with_one_thread = on_threads(1);
  for (const std::size_t threads : {2U, 3U, 16U}) {
    const Graph with_threads = on_threads(threads);
    ASSERT_EQ(with_threads.arc_count(), with_one_thread.arc_count());
    for (Arm played = 0; played < 1000; ++played) {
      EXPECT_TRUE(std::ranges::equal(with_threads.weights().row_columns(played),
                                     with_one_thread.weights().row_columns(played)));
      EXPECT_TRUE(std::ranges::equal(with_threads.weights().row(played),
                                     with_one_thread.weights().row(played)));
    }
  }
}

TEST(Families, SimpleFamiliesHaveTheirNumbersOfEdges) {
  expect_edges(make_cliques({.count = 4, .size = 6}), 24, 60);
  expect_regular(make_cliques({.count = 4, .size = 6}), 5);
  expect_edges(make_cliques({.count = 7, .size = 1}), 7, 0);
  expect_edges(make_star({.arms = 11}), 11, 10);
  EXPECT_EQ(degree(make_star({.arms = 11}), 0), 10U);
  expect_edges(make_star({.arms = 1}), 1, 0);
  expect_edges(make_cycle({.arms = 12}), 12, 12);
  expect_regular(make_cycle({.arms = 12}), 2);
  expect_edges(make_cycle({.arms = 3}), 3, 3);
  expect_edges(make_complete({.arms = 9}), 9, 36);
  expect_edges(make_empty({.arms = 9}), 9, 0);
  // A k x k board has 2 k (k - 1) straight and 2 (k - 1)^2 diagonal moves of a king.
  expect_edges(make_king({.side = 8}), 64, 112 + 98);
  const GraphSummary constant = summarize(make_constant({.arms = 6, .weight = 0.3}));
  EXPECT_EQ(constant.arcs, 30U);
  EXPECT_EQ(constant.smallest_weight, 0.3);
  EXPECT_EQ(constant.largest_weight, 0.3);
}

TEST(Families, CliquesConsistOfConsecutiveArms) {
  const Graph graph = make_cliques({.count = 3, .size = 4});
  for (Arm played = 0; played < 12; ++played) {
    for (Arm seen = 0; seen < 12; ++seen) {
      EXPECT_EQ(graph.weight(played, seen), played / 4 == seen / 4 ? 1 : 0);
    }
  }
}

// The numbers of edges, and below the clique numbers, were published with the benchmark graphs.
TEST(Families, DimacsGraphsHaveTheirPublishedNumbersOfEdges) {
  expect_edges(make_hamming({.length = 6, .distance = 2}), 64, 1824);
  expect_edges(make_hamming({.length = 6, .distance = 4}), 64, 704);
  expect_edges(make_hamming({.length = 8, .distance = 2}), 256, 31616);
  expect_edges(make_hamming({.length = 8, .distance = 4}), 256, 20864);
  expect_edges(make_hamming({.length = 10, .distance = 2}), 1024, 518656);
  expect_edges(make_johnson({.length = 8, .ones = 2, .distance = 4}), 28, 210);
  expect_edges(make_johnson({.length = 8, .ones = 4, .distance = 4}), 70, 1855);
  expect_edges(make_johnson({.length = 16, .ones = 2, .distance = 4}), 120, 5460);
  expect_edges(make_johnson({.length = 32, .ones = 2, .distance = 4}), 496, 107880);
  expect_edges(make_keller({.dimension = 4}), 171, 9435);
  expect_edges(make_keller({.dimension = 5}), 776, 225990);
}

TEST(Families, DimacsGraphsHaveTheirPublishedCliqueNumbers) {
  EXPECT_EQ(clique_number(make_hamming({.length = 6, .distance = 4})), 4U);
  EXPECT_EQ(clique_number(make_johnson({.length = 8, .ones = 2, .distance = 4})), 4U);
  EXPECT_EQ(clique_number(make_johnson({.length = 8, .ones = 4, .distance = 4})), 14U);
}

TEST(Families, LargeSparseGraphsTakeLinearMemory) {
  for (const Graph& graph :
       {make_star({.arms = 1'000'000}), make_cycle({.arms = 1'000'000}),
        make_empty({.arms = 1'000'000}), make_cliques({.count = 250'000, .size = 4}),
        make_erdos_renyi({.arms = 1'000'000, .probability = 2e-6}, Stream(1, Purpose::graph))}) {
    EXPECT_FALSE(graph.is_dense());
    EXPECT_LE(graph.weights().values().size(), 4'000'000U);
  }
}

TEST(GraphFamilies, HaveADescriptionAndMakeAGraphFromTheirDefaults) {
  EXPECT_GE(graph_families().size(), 13U);
  for (const GraphFamily& family : graph_families()) {
    const CatalogueEntry& entry = family.entry;
    EXPECT_FALSE(entry.summary.empty() || entry.reference.empty()) << entry.name;
    EXPECT_EQ(entry.summary.find('\n'), std::string_view::npos) << entry.name;
    const Graph graph = family.make(family.defaults, Stream(1, Purpose::graph), 0, 1);
    EXPECT_EQ(family.arms(family.defaults), graph.arms()) << entry.name;
    const Graph other = family.make(family.defaults, Stream(2, Purpose::graph), 0, 1);
    EXPECT_EQ(family.is_random,
              !std::ranges::equal(graph.weights().values(), other.weights().values()) ||
                  graph.arc_count() != other.arc_count())
        << entry.name;
  }
}

TEST(Families, ErrorsNameTheOptionThatIsOutOfRange) {
  const Stream stream(1, Purpose::graph);
  const double nan = std::nan("");
  const std::vector<std::pair<std::string, std::function<Graph()>>> cases = {
      {"side", [] { return make_grid({.side = 0}); }},
      {"side", [] { return make_grid({.side = 129}); }},
      {"spacing", [] { return make_grid({.spacing = 0}); }},
      {"spacing", [] { return make_grid({.spacing = HUGE_VAL}); }},
      {"arms", [&] { return make_uniform({.arms = 0}, stream); }},
      {"low", [&] { return make_uniform({.low = nan}, stream); }},
      {"low", [&] { return make_uniform({.low = -0.1}, stream); }},
      {"high", [&] { return make_uniform({.low = 0.5, .high = 0.4}, stream); }},
      {"high", [&] { return make_uniform({.high = 1.1}, stream); }},
      {"arms", [&] { return make_erdos_renyi({.arms = 0}, stream); }},
      {"arms", [&] { return make_erdos_renyi({.arms = 1'000'000, .probability = 0.5}, stream); }},
      {"probability", [&] { return make_erdos_renyi({.probability = 2}, stream); }},
      {"weight", [&] { return make_erdos_renyi({.weight = nan}, stream); }},
      {"threads", [&] { return make_erdos_renyi({}, stream, 0, 0); }},
      {"arms", [&] { return make_erdos_renyi({.arms = 20'000, .probability = 0.26}, stream); }},
      {"count", [] { return make_cliques({.count = 0}); }},
      {"count", [] { return make_cliques({.count = SIZE_MAX}); }},
      {"size", [] { return make_cliques({.size = 0}); }},
      {"arms", [] { return make_star({.arms = 0}); }},
      {"arms", [] { return make_star({.arms = SIZE_MAX}); }},
      {"arms", [] { return make_cycle({.arms = 2}); }},
      {"arms", [] { return make_complete({.arms = 16'385}); }},
      {"arms", [] { return make_empty({.arms = 0}); }},
      {"weight", [] { return make_constant({.weight = 1.5}); }},
      {"side", [] { return make_king({.side = 0}); }},
      {"length", [] { return make_hamming({.length = 14}); }},
      {"distance", [] { return make_hamming({.distance = 7}); }},
      {"length", [] { return make_johnson({.length = 33}); }},
      {"ones", [] { return make_johnson({.ones = 9}); }},
      {"ones", [] { return make_johnson({.length = 32, .ones = 16}); }},
      {"distance", [] { return make_johnson({.distance = 0}); }},
      {"dimension", [] { return make_keller({.dimension = 7}); }},
  };
  for (const auto& [place, make] : cases) {
    try {
      make();
      ADD_FAILURE() << place << " was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.place(), place) << error.what();
    }
  }
}

}  // namespace
}  // namespace hearsay
