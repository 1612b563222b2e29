#include "hearsay/learner/transposed_graph.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "tests/random_source.h"

namespace hearsay {
namespace {

// Compares the coverage of one arm at a time with that of all arms at once.
TEST(TransposedGraph, HasTheCoverageOfEachArm) {
  RandomSource dice(1);
  for (std::size_t n = 1; n <= 12; ++n) {
    const std::vector<double> weights = random_weights(dice, n, 0.75);
    std::vector<Arc> arcs;
    for (std::size_t k = 0; k < n * n; ++k) {
      arcs.push_back({static_cast<Arm>(k / n), static_cast<Arm>(k % n), weights[k]});
    }
    std::vector<double> played(n);
    std::ranges::generate(played, [&] { return dice.uniform(); });
    SumTree tree(n);
    tree.assign(played);
    for (const auto& weighting :
         {weightings::own_loss(), weightings::taken_as_loss(0), weightings::taken_as_loss(0.5),
          weightings::truncated(0), weightings::by_power(1), weightings::inverse_variance(1)}) {
      for (const Graph& graph : {Graph::dense(n, weights), Graph::sparse(n, arcs)}) {
        const TransposedGraph transposed(*weighting, graph);
        std::vector<Arm> all;
        std::vector<double> expected(n);
        Coverage(*weighting, graph).of(played, expected);
        for (Arm arm = 0; arm < n; ++arm) {
          all.push_back(arm);
          // If every arm covers every arm, Coverage assumes that the probabilities sum to 1.
          const double exact = covers_everything(*weighting) ? tree.total() : expected[arm];
          EXPECT_NEAR(transposed.coverage(tree, arm), exact, 1e-14 * static_cast<double>(n));
        }
        transposed.prefetch_rows(all);
        transposed.prefetch_arcs(tree, all);
      }
    }
  }
}

}  // namespace
}  // namespace hearsay
