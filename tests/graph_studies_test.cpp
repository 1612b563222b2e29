#include "reproduce/graph_studies.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace hearsay::reproduce {
namespace {

RandomGraphs small() {
  return {.sizes = {5, 20, 60}, .graphs = 12, .seed = 3};
}

std::vector<RandomGraphPoint> random_graphs(const Effort& effort,
                                            const GraphProgress& progress = {}) {
  std::vector<RandomGraphPoint> points = random_graph_points(small());
  solve(small(), points, effort, progress);
  return points;
}

double mean(const std::vector<RandomGraphPoint>& points, const WeightLaw& law, std::size_t arms) {
  double sum = 0;
  std::size_t count = 0;
  for (const RandomGraphPoint& point : points) {
    if (point.law == law && point.arms == arms) {
      sum += point.result.upper;
      ++count;
    }
  }
  return sum / static_cast<double>(count);
}

TEST(GraphStudies, HaveTheSamePointsForAnyNumberOfThreads) {
  const std::vector<RandomGraphPoint> with_one_thread = random_graphs({.threads = 1});
  const std::vector<RandomGraphPoint> with_three_threads = random_graphs({.threads = 3});
  ASSERT_EQ(with_one_thread.size(), 3U * 3U * 12U);
  ASSERT_EQ(with_three_threads.size(), with_one_thread.size());
  for (std::size_t i = 0; i < with_one_thread.size(); ++i) {
    EXPECT_EQ(with_three_threads[i].law, with_one_thread[i].law);
    EXPECT_EQ(with_three_threads[i].arms, with_one_thread[i].arms);
    EXPECT_EQ(with_three_threads[i].graph, with_one_thread[i].graph);
    EXPECT_EQ(with_three_threads[i].result.upper, with_one_thread[i].result.upper);
    EXPECT_EQ(with_three_threads[i].result.witness, with_one_thread[i].result.witness);
  }
}

TEST(GraphStudies, FindTheBehaviourOfTheLawsThatThePaperDescribes) {
  const std::vector<RandomGraphPoint> points = random_graphs({.threads = 2});
  const auto value = [&](const WeightLaw& law, std::size_t arms, std::size_t graph) {
    return std::ranges::find_if(points,
                                [&](const RandomGraphPoint& point) {
                                  return point.law == law && point.arms == arms &&
                                         point.graph == graph;
                                })
        ->result.upper;
  };
  for (const RandomGraphPoint& point : points) {
    if (point.law == WeightLaw{0.5, 1}) {
      EXPECT_LE(point.result.upper, 4);  // 1 / (1/2)^2
    }
    if (point.law == WeightLaw{0, 0.5}) {  // the draws of U(0, 1), halved
      EXPECT_EQ(point.result.upper, std::min(static_cast<double>(point.arms),
                                             4 * value({0, 1}, point.arms, point.graph)));
    }
  }
  // Means of 10 to 20 graphs are known to be 9.05 to 9.3, with a standard deviation of 0.65. The
  // tolerance is four standard errors of the difference of both means.
  EXPECT_NEAR(mean(points, {0, 1}, 20), 9.15, 4 * 0.65 * std::sqrt(1.0 / 12 + 1.0 / 10));
}

TEST(GraphStudies, FindTheKnownValuesOfGrids) {
  std::vector<GridPoint> points = grid_points(UnitSquareGrids{.last_side = 9});
  solve(points, {.threads = 2});
  ASSERT_EQ(points.size(), 16U);
  const std::vector<double> known = {4,      7.8125, 5.9753, 8.5078,
                                     6.9696, 8.2238, 7.4786, 8.5078};  // to four decimals
  for (std::size_t i = 0; i < known.size(); ++i) {
    EXPECT_EQ(points[i].side, i + 2);
    EXPECT_NEAR(points[i].result.upper, known[i], 0.5e-4);
  }
  EXPECT_NEAR(points[12].result.upper, 24.0, 0.05);  // side 6, to one decimal
}

TEST(GraphStudies, KeepWhatIsSolvedWhenStoppedAndDoNotSolveItAgain) {
  const std::vector<RandomGraphPoint> all = random_graphs({});
  std::atomic<std::size_t> done = 0;
  const Effort effort{.threads = 2, .stop = [&] { return done >= 40; }};
  std::vector<RandomGraphPoint> points =
      random_graphs(effort, [&](std::size_t done_so_far, std::size_t total) {
        EXPECT_EQ(done_so_far, done + 1);
        EXPECT_EQ(total, all.size());
        done = done_so_far;
      });
  const auto solved = [&] {
    return static_cast<std::size_t>(std::ranges::count_if(
        points, [](const RandomGraphPoint& point) { return point.result.exact; }));
  };
  EXPECT_EQ(solved(), done);
  EXPECT_GE(solved(), 40U);
  EXPECT_LT(solved(), all.size());

  std::size_t calls = 0;
  const std::size_t before = done;
  solve(small(), points, {.threads = 2}, [&](std::size_t done_so_far, std::size_t /*total*/) {
    ++calls;
    EXPECT_EQ(done_so_far, before + calls);
  });
  EXPECT_EQ(calls, all.size() - before);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(points[i].result.upper, all[i].result.upper);
    EXPECT_EQ(points[i].result.witness, all[i].result.witness);
  }
}

}  // namespace
}  // namespace hearsay::reproduce
