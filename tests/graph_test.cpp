#include "hearsay/graph/graph.h"

#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/error.h"

namespace hearsay {
namespace {

TEST(Graph, PlayedComesFirst) {
  const Graph graph = Graph::dense(2, {1, 0.25, 0.5, 1});
  EXPECT_EQ(graph.weight(0, 1), 0.25);
  EXPECT_EQ(graph.weight(1, 0), 0.5);
}

}  // namespace
}  // namespace hearsay
