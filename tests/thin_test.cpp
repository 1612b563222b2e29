#include "hearsay/graph/thin.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/families.h"

namespace hearsay {
namespace {

TEST(Thin, KeepsTheStrongArcsAndTheSelfWeight) {
  const Stream stream(1, Purpose::graph);
  for (const Graph& graph : {make_uniform({.arms = 9}, stream), make_grid({.side = 3}),
                             Graph::dense(2, {0.5, 0.25, 0, 0.5})}) {
    for (const double at_least : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      const Graph thinned = thin(graph, at_least);
      EXPECT_FALSE(thinned.is_dense());
      EXPECT_EQ(thinned.self_weight(), graph.self_weight());
      for (Arm played = 0; played < graph.arms(); ++played) {
        for (Arm seen = 0; seen < graph.arms(); ++seen) {
          const double weight = graph.weight(played, seen);
          const bool kept = played == seen || weight >= at_least;
          EXPECT_EQ(thinned.weight(played, seen), kept ? weight : 0) << played << ' ' << seen;
        }
      }
    }
  }
}

TEST(Thin, RefusesThresholdsOutsideZeroToOne) {
  const Graph graph = make_grid({.side = 2});
  for (const double at_least : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(thin(graph, at_least), Error);
  }
}

}  // namespace
}  // namespace hearsay
