#include "hearsay/report/graph_picture.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/graph/families.h"

namespace hearsay {
namespace {

TEST(GraphPicture, HasTheWeightsAndAnIndependentSet) {
  const GraphPicture picture =
      graph_picture(Graph::dense(3, {1, 0.5, 0, 0.2, 1, 0, 0, 0, 1})).value();
  EXPECT_EQ(picture.weights,
            "ff8000"
            "33ff00"
            "0000ff");
  // At the threshold 1 all three arms are independent, which costs 3; at 0.5 two are, which costs
  // 2 / 0.25.
  EXPECT_EQ(picture.threshold, 1);
  EXPECT_EQ(picture.witness, (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_NE(picture.caption.find("alpha* is 3"), std::string::npos) << picture.caption;
}

TEST(GraphPicture, AveragesBlocksOfManyArmsAndLeavesOutTooMany) {
  std::vector<double> weights(400 * 400);
  for (std::size_t arm = 0; arm < 400; ++arm) {
    weights[400 * arm + arm] = 1;
  }
  const GraphPicture picture = graph_picture(Graph::dense(400, weights)).value();
  EXPECT_EQ(picture.side, 200U);
  EXPECT_EQ(picture.weights.substr(0, 6), "800000");  // two of the four weights of a block are 1
  EXPECT_EQ(picture.threshold, 0);
  EXPECT_FALSE(graph_picture(make_grid({.side = 45})));
}

}  // namespace
}  // namespace hearsay
