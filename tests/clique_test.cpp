#include "hearsay/certificate/clique.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

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
      const CliqueProof::Verdict verdict = proof.advance(kToTheEnd, {});
      ASSERT_EQ(verdict,
                size <= largest ? CliqueProof::Verdict::found : CliqueProof::Verdict::none);
      if (verdict == CliqueProof::Verdict::found) {
        EXPECT_EQ(proof.clique().size(), size);
        EXPECT_TRUE(is_clique(graph, proof.clique()));
      }
    }
  }
}

// A clique is planted in graphs of every number of words, beyond those with unrolled loops.
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
    ASSERT_EQ(proof.advance(kToTheEnd, {}), CliqueProof::Verdict::found);
    std::vector<std::uint32_t> found = proof.clique();
    std::ranges::sort(found);
    std::ranges::sort(planted);
    EXPECT_EQ(found, planted);
    proof.tighten(graph, 21);
    EXPECT_EQ(proof.advance(kToTheEnd, {}), CliqueProof::Verdict::none);
  }
}

TEST(CliqueProof, PortionsAndThreadsDoNotChangeWhatIsFound) {
  const BitMatrix graph = random_graph(400, 0.5, 3);
  const BitMatrix thinner = random_graph(400, 0.48, 3);  // the same draws: fewer edges
  struct Step {
    CliqueProof::Verdict verdict;
    std::uint64_t nodes;
    std::vector<std::uint32_t> clique;
    bool operator==(const Step&) const = default;
  };
  const auto history = [&](unsigned threads) {
    std::vector<Step> steps;
    CliqueProof proof(graph, 11);
    const auto record = [&](std::uint64_t portion) {
      const CliqueProof::Verdict verdict = proof.advance(portion, {.threads = threads});
      steps.push_back(
          {verdict, proof.nodes(),
           verdict == CliqueProof::Verdict::found ? proof.clique() : std::vector<std::uint32_t>{}});
      return verdict;
    };
    while (record(5000) == CliqueProof::Verdict::open) {
    }
    EXPECT_EQ(steps.back().verdict, CliqueProof::Verdict::found);
    EXPECT_TRUE(is_clique(graph, proof.clique()));
    proof.tighten(thinner, 13);
    while (record(30'000) != CliqueProof::Verdict::none) {
      if (steps.back().verdict == CliqueProof::Verdict::found) {
        EXPECT_TRUE(is_clique(thinner, proof.clique()));
        proof.tighten(thinner, proof.clique().size() + 1);
      }
    }
    return steps;
  };
  const std::vector<Step> alone = history(1);
  EXPECT_EQ(history(2), alone);
  EXPECT_EQ(history(7), alone);
}

}  // namespace
}  // namespace hearsay
