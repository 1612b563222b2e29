#include "hearsay/certificate/clique.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/certificate/set_check.h"
#include "hearsay/certificate/threshold_graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {
namespace {

constexpr std::uint64_t kToTheEnd = std::numeric_limits<std::uint64_t>::max() / 2;

BitMatrix random_graph(std::size_t size, double density, std::uint64_t seed) {
  const Stream stream(seed, Purpose::test, 2);
  BitMatrix graph(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (stream.uniform(i, j) < density) {
        graph.join(i, j);
      }
    }
  }
  return graph;
}

bool is_clique(const BitMatrix& graph, const std::vector<std::uint32_t>& set) {
  for (std::size_t a = 0; a < set.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (set[a] == set[b] || !graph.joined(set[a], set[b])) {
        return false;
      }
    }
  }
  return true;
}

std::size_t clique_number(const BitMatrix& graph) {
  std::size_t largest = 0;
  for (std::size_t set = 1; set < (std::size_t{1} << graph.size()); ++set) {
    if (static_cast<std::size_t>(std::popcount(set)) <= largest) {
      continue;
    }
    std::vector<std::uint32_t> members;
    for_each_bit(std::vector<std::uint64_t>{set},
                 [&](std::size_t v) { members.push_back(static_cast<std::uint32_t>(v)); });
    if (is_clique(graph, members)) {
      largest = members.size();
    }
  }
  return largest;
}

TEST(CliqueProof, AgreesWithBruteForce) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const BitMatrix graph =
        random_graph(1 + seed % 13, 0.1 + 0.8 * static_cast<double>(seed % 7) / 6, seed);
    const std::size_t largest = clique_number(graph);
    for (std::size_t size = 1; size <= graph.size() + 1; ++size) {
      CliqueProof proof(graph, size);
      const CliqueProof::Outcome outcome = proof.advance(kToTheEnd, {});
      ASSERT_EQ(outcome,
                size <= largest ? CliqueProof::Outcome::found : CliqueProof::Outcome::none);
      if (outcome == CliqueProof::Outcome::found) {
        EXPECT_EQ(proof.clique().size(), size);
        EXPECT_TRUE(is_clique(graph, proof.clique()));
      }
    }
  }
}

// Dense graphs, for which the search reasons about classes of several vertices at once.
TEST(CliqueProof, AgreesWithTheSimpleSearchOnDenseGraphs) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t vertices = 20 + 7 * (seed % 11);
    const BitMatrix graph =
        random_graph(vertices, 0.75 + 0.22 * static_cast<double>(seed % 13) / 12, seed);
    const ConflictGraph lists = to_conflicts(graph);
    ConflictLists conflicts;
    for (Arm v = 0; v < vertices; ++v) {
      const std::span<const Arm> others = lists.of(v);
      conflicts.emplace_back(others.begin(), others.end());
    }
    CliqueProof proof(graph, 1);
    std::size_t size = 0;
    while (proof.advance(kToTheEnd, {}) == CliqueProof::Outcome::found) {
      ASSERT_EQ(proof.clique().size(), size + 1);
      ASSERT_TRUE(is_clique(graph, proof.clique()));
      ++size;
      proof.tighten(graph, size + 1);
    }
    EXPECT_EQ(has_independent_set(conflicts, size + 1, [] { return false; }), false);
    for (std::size_t larger = size + 2; larger < size + 6; ++larger) {
      EXPECT_EQ(CliqueProof(graph, larger).advance(kToTheEnd, {}), CliqueProof::Outcome::none);
    }
  }
}

// Vertices that are not joined form disjoint cycles of 2 k + 1 vertices, so a clique has k of each.
// Classes alone bound that by k + 1. The graphs have rows of every width.
TEST(CliqueProof, ReasonsAboutOddCyclesInGraphsOfEveryWidth) {
  struct Case {
    std::size_t cycles;
    std::size_t half;
  };
  for (const Case& each : {Case{12, 2}, Case{27, 3}, Case{49, 4}, Case{102, 2}, Case{100, 3},
                           Case{111, 4}, Case{125, 4}}) {
    const std::size_t length = 2 * each.half + 1;
    BitMatrix graph(each.cycles * length);
    SCOPED_TRACE(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const std::size_t difference = i - j;
        if (i / length != j / length || (difference != 1 && difference != length - 1)) {
          graph.join(i, j);
        }
      }
    }
    CliqueProof proof(graph, each.cycles * each.half);
    ASSERT_EQ(proof.advance(kToTheEnd, {}), CliqueProof::Outcome::found);
    ASSERT_TRUE(is_clique(graph, proof.clique()));
    proof.tighten(graph, each.cycles * each.half + 1);
    constexpr std::uint64_t kFewNodes = 2'000'000;
    EXPECT_EQ(proof.advance(kFewNodes, {}), CliqueProof::Outcome::none);
  }
}

// A clique is planted in graphs whose rows have different numbers of words, also more than those
// for which loops are unrolled.
TEST(CliqueProof, FindsAPlantedCliqueAndNoLargerOne) {
  for (const std::size_t size : {63U, 64U, 65U, 130U, 257U, 500U, 520U, 700U, 1200U}) {
    SCOPED_TRACE(size);
    BitMatrix graph = random_graph(size, 0.1, size);
    std::vector<std::uint32_t> planted;
    for (std::size_t k = 0; k < 20; ++k) {
      planted.push_back(static_cast<std::uint32_t>((k * 37) % size));
    }
    for (const std::uint32_t a : planted) {
      for (const std::uint32_t b : planted) {
        if (a < b) {
          graph.join(a, b);
        }
      }
    }
    CliqueProof proof(graph, 20);
    ASSERT_EQ(proof.advance(kToTheEnd, {}), CliqueProof::Outcome::found);
    std::vector<std::uint32_t> found = proof.clique();
    std::ranges::sort(found);
    std::ranges::sort(planted);
    EXPECT_EQ(found, planted);
    proof.tighten(graph, 21);
    EXPECT_EQ(proof.advance(kToTheEnd, {}), CliqueProof::Outcome::none);
  }
}

TEST(CliqueProof, PortionsAndThreadsDoNotChangeWhatIsFound) {
  const BitMatrix graph = random_graph(400, 0.5, 3);
  const BitMatrix sparser = random_graph(400, 0.48, 3);  // the same draws: fewer edges
  struct Step {
    CliqueProof::Outcome outcome;
    std::uint64_t nodes;
    std::vector<std::uint32_t> clique;
    bool operator==(const Step&) const = default;
  };
  const auto history = [&](unsigned threads) {
    std::vector<Step> steps;
    CliqueProof proof(graph, 11);
    const auto record = [&](std::uint64_t nodes) {
      const CliqueProof::Outcome outcome = proof.advance(nodes, {.threads = threads});
      steps.push_back(
          {outcome, proof.nodes(),
           outcome == CliqueProof::Outcome::found ? proof.clique() : std::vector<std::uint32_t>{}});
      return outcome;
    };
    while (record(5000) == CliqueProof::Outcome::undecided) {
    }
    EXPECT_EQ(steps.back().outcome, CliqueProof::Outcome::found);
    EXPECT_TRUE(is_clique(graph, proof.clique()));
    proof.tighten(sparser, 13);
    while (record(30'000) != CliqueProof::Outcome::none) {
      if (steps.back().outcome == CliqueProof::Outcome::found) {
        EXPECT_TRUE(is_clique(sparser, proof.clique()));
        proof.tighten(sparser, proof.clique().size() + 1);
      }
    }
    return steps;
  };
  const std::vector<Step> with_one_thread = history(1);
  EXPECT_EQ(history(2), with_one_thread);
  EXPECT_EQ(history(7), with_one_thread);
}

}  // namespace
}  // namespace hearsay
