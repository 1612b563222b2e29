#include "hearsay/graph/for_last_graph.h"

#include <stdexcept>

#include <gtest/gtest.h>

namespace hearsay {
namespace {

TEST(ForLastGraph, MakesAValueOnlyIfTheGraphChanges) {
  const Graph one = Graph::dense(1, {1});
  const Graph two = Graph::dense(2, {1, 0, 0, 1});
  int made = 0;
  ForLastGraph<int> kept;
  const auto next = [&] { return ++made; };
  EXPECT_EQ(kept.get(one, next), 1);
  EXPECT_EQ(kept.get(one, next), 1);
  EXPECT_EQ(kept.get(two, next), 2);
  EXPECT_EQ(kept.value(), 2);
  EXPECT_TRUE(kept.graph().same_as(two));
  EXPECT_EQ(kept.get(one, next), 3);
  kept.reset();
  EXPECT_EQ(kept.get(one, next), 4);
}

TEST(ForLastGraph, KeepsNothingIfTheValueCannotBeMade) {
  const Graph graph = Graph::dense(1, {1});
  ForLastGraph<int> kept;
  EXPECT_THROW(kept.get(graph, []() -> int { throw std::runtime_error("no value"); }),
               std::runtime_error);
  EXPECT_EQ(kept.get(graph, [] { return 7; }), 7);
}

}  // namespace
}  // namespace hearsay
