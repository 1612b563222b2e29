#include "hearsay/graph/graph.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/random/stream.h"

namespace hearsay {
namespace {

TEST(Graph, TheArmPlayedIsTheRow) {
  const Graph graph = Graph::dense(2, {1, 0.25, 0.5, 1});
  EXPECT_EQ(graph.weight(0, 1), 0.25);
  EXPECT_EQ(graph.weight(1, 0), 0.5);
  const Graph sparse = Graph::sparse(2, {{0, 1, 0.25}});
  EXPECT_EQ(sparse.weight(0, 1), 0.25);
  EXPECT_EQ(sparse.weight(1, 0), 0);
}

TEST(Graph, AnAbsentDiagonalIsOne) {
  const Graph graph = Graph::sparse(3, {{2, 1, 0.5}, {1, 1, 1}});
  EXPECT_EQ(graph.self_weight(), 1);
  for (Arm arm = 0; arm < 3; ++arm) {
    EXPECT_EQ(graph.weight(arm, arm), 1);
  }
  EXPECT_EQ(graph.arc_count(), 1U);
}

TEST(Graph, TheDiagonalMayBeAnyPositiveConstant) {
  EXPECT_EQ(Graph::dense(2, {0.5, 0, 0, 0.5}).self_weight(), 0.5);
  const Graph graph = Graph::sparse(2, {{1, 1, 0.5}, {0, 0, 0.5}});
  EXPECT_EQ(graph.self_weight(), 0.5);
  EXPECT_EQ(graph.weight(1, 1), 0.5);
  EXPECT_EQ(graph.arc_count(), 0U);
}

TEST(Graph, SparseStorageHasNoZeros) {
  const Graph graph = Graph::sparse(2, {{0, 1, 0}, {1, 0, 1}});
  EXPECT_EQ(graph.arc_count(), 1U);
  EXPECT_EQ(graph.weights().values().size(), 3U);
}

TEST(Graph, SameAsIsTrueForACopyAndFalseForEqualWeights) {
  const Graph graph = Graph::dense(1, {1});
  const Graph copy = graph;  // NOLINT(performance-unnecessary-copy-initialization): is tested here
  EXPECT_TRUE(copy.same_as(graph));
  EXPECT_FALSE(Graph::dense(1, {1}).same_as(graph));
}

// The message of the Error that make() throws, after the arc that an ArcError names.
template <class Make>
std::string refusal(Make make) {
  try {
    make();
  } catch (const ArcError& error) {
    return "(" + std::to_string(error.played()) + ", " + std::to_string(error.seen()) + ") " +
           error.what();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const std::string& message, const std::string& expected) {
  EXPECT_NE(message.find(expected), std::string::npos) << message;
}

TEST(Graph, DenseRefusesInvalidWeights) {
  const auto refused = [](std::size_t arms, std::vector<double> weights) {
    return refusal([&] { return Graph::dense(arms, std::move(weights)); });
  };
  expect_refused(refused(0, {}), "the graph has 0 arms");
  expect_refused(refused(2, {1, 0, 0}), "3 weights for 2 arms");
  expect_refused(refused(2, {1, 0, 0, 1, 0}), "5 weights for 2 arms");
  expect_refused(refused(std::size_t{1} << 32U, {1}), "expected at most 4294967295");
  expect_refused(refused(2, {1, 1.5, 0, 1}), "(0, 1) weight(0, 1) is 1.5");
  expect_refused(refused(2, {1, 0, -0.25, 1}), "(1, 0) weight(1, 0) is -0.25");
  expect_refused(refused(2, {1, std::nan(""), 0, 1}), "(0, 1) weight(0, 1) is nan");
  expect_refused(refused(2, {1, 0, HUGE_VAL, 1}), "(1, 0) weight(1, 0) is inf");
  expect_refused(refused(2, {1, 0, 0, 0.5}), "(1, 1) weight(1, 1) is 0.5, expected 1");
  expect_refused(refused(2, {0, 0, 0, 0}), "(0, 0) weight(0, 0) is 0");
}

TEST(Graph, SparseRefusesInvalidArcs) {
  const auto refused = [](std::size_t arms, std::vector<Arc> arcs) {
    return refusal([&] { return Graph::sparse(arms, std::move(arcs)); });
  };
  expect_refused(refused(0, {}), "the graph has 0 arms");
  expect_refused(refused(std::size_t{1} << 32U, {}), "expected at most 4294967295");
  expect_refused(refused(2, {{0, 2, 1}}), "(0, 2) arc (0, 2) names an arm that does not exist");
  expect_refused(refused(2, {{2, 0, 1}}), "(2, 0) arc (2, 0) names an arm that does not exist");
  expect_refused(refused(2, {{0, 1, 1.5}}), "(0, 1) weight(0, 1) is 1.5");
  expect_refused(refused(2, {{1, 0, std::nan("")}}), "(1, 0) weight(1, 0) is nan");
  expect_refused(refused(2, {{1, 0, 1}, {0, 1, 1}, {1, 0, 0.5}}),
                 "(1, 0) arc (1, 0) is given twice");
  expect_refused(refused(2, {{1, 1, 0.5}}), "(1, 1) weight(1, 1) is 0.5, expected 1");
  expect_refused(refused(2, {{0, 0, 0.5}, {1, 1, 0.25}}),
                 "(1, 1) weight(1, 1) is 0.25, expected 0.5");
  expect_refused(refused(1, {{0, 0, 0}}), "(0, 0) weight(0, 0) is 0");
}

TEST(Graph, SharedWeightsAreReleasedWithTheLastCopyOfTheGraph) {
  bool released = false;
  {
    const Graph copy = [&] {
      std::shared_ptr<const double> shared(new double[4]{1, 0.5, 0, 1}, [&](const double* weights) {
        delete[] weights;
        released = true;
      });
      const Graph graph = Graph::dense(2, std::move(shared));
      EXPECT_EQ(graph.arc_count(), 1U);
      return Graph(graph);
    }();
    EXPECT_FALSE(released);
    EXPECT_EQ(copy.weight(0, 1), 0.5);
    EXPECT_THROW(Graph::dense(1, std::make_shared<const double>(2.0)), ArcError);
  }
  EXPECT_TRUE(released);
}

TEST(Graph, SparseRowsRefuseInvalidRows) {
  using Rows = std::vector<std::size_t>;
  const auto refused = [](const Rows& begin, const std::vector<Arm>& seen,
                          const std::vector<double>& weights) {
    return refusal([&] { return Graph::sparse_rows(2, begin, seen, weights); });
  };
  const Graph good = Graph::sparse_rows(2, {0, 2, 3}, {0, 1, 1}, {0.5, 0.25, 0.5});
  EXPECT_EQ(good.weight(0, 1), 0.25);
  EXPECT_EQ(good.weight(1, 0), 0.0);
  EXPECT_EQ(good.self_weight(), 0.5);
  EXPECT_EQ(good.arc_count(), 1U);
  const char* message = "do not form a matrix, expected compressed sparse rows for 2 arms";
  expect_refused(refused({0, 3}, {0, 1, 1}, {1, 1, 1}), message);
  expect_refused(refused({1, 2, 3}, {0, 1, 1}, {1, 1, 1}), message);
  expect_refused(refused({0, 2, 4}, {0, 1, 1}, {1, 1, 1}), message);
  expect_refused(refused({0, 4, 3}, {0, 1, 1}, {1, 1, 1}), message);
  expect_refused(refused({0, 2, 3}, {0, 1, 1}, {1, 1}), message);
  expect_refused(refused({0, 2, 3}, {0, 2, 1}, {1, 1, 1}),
                 "(0, 2) arc (0, 2) is invalid, expected arms 0 to 1");
  expect_refused(refused({0, 2, 3}, {1, 0, 1}, {1, 1, 1}), "(0, 0) arc (0, 0) is invalid");
  expect_refused(refused({0, 2, 3}, {0, 0, 1}, {1, 1, 1}), "(0, 0) arc (0, 0) is invalid");
  expect_refused(refused({0, 2, 3}, {0, 1, 1}, {1, 2, 1}), "(0, 1) weight(0, 1) is 2");
  expect_refused(refused({0, 2, 3}, {0, 1, 1}, {1, 0, 1}), "(0, 1) weight(0, 1) is 0");
  expect_refused(refused({0, 2, 3}, {0, 1, 1}, {1, 1, 0.5}),
                 "(1, 1) weight(1, 1) is 0.5, expected 1");
  expect_refused(refused({0, 2, 3}, {0, 1, 0}, {1, 1, 1}), "(1, 1) weight(1, 1) is missing");
}

// Random weights; each is 0 with probability 1 - arc_probability.
std::vector<double> random_weights(std::size_t arms, double arc_probability) {
  const Stream stream(arms, Purpose::test);
  std::vector<double> weights(arms * arms);
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = stream.uniform(0, k) < arc_probability ? stream.uniform(1, k) : 0;
  }
  for (std::size_t arm = 0; arm < arms; ++arm) {
    weights[arm * arms + arm] = 1;
  }
  return weights;
}

TEST(Graph, DenseAndSparseStorageGiveTheSameWeightsAndTheSameProductsToTheBit) {
  for (std::size_t arms = 1; arms <= 35; ++arms) {
    for (const double arc_probability : {0.0, 0.2, 1.0}) {
      const std::vector<double> weights = random_weights(arms, arc_probability);
      std::vector<Arc> arcs;
      for (Arm seen = 0; seen < arms; ++seen) {  // by columns, so that sparse() has to sort them
        for (Arm played = 0; played < arms; ++played) {
          arcs.push_back({played, seen, weights[played * arms + seen]});
        }
      }
      const Graph dense = Graph::dense(arms, weights);
      const Graph sparse = Graph::sparse(arms, arcs);
      ASSERT_TRUE(dense.is_dense());
      ASSERT_FALSE(sparse.is_dense());
      EXPECT_EQ(dense.arc_count(), sparse.arc_count());

      std::vector<std::pair<Arm, double>> seen_dense;
      std::vector<std::pair<Arm, double>> seen_sparse;
      for (Arm played = 0; played < arms; ++played) {
        dense.for_each_seen(
            played, [&](Arm seen, double weight) { seen_dense.emplace_back(seen, weight); });
        sparse.for_each_seen(
            played, [&](Arm seen, double weight) { seen_sparse.emplace_back(seen, weight); });
        for (Arm seen = 0; seen < arms; ++seen) {
          EXPECT_EQ(dense.weight(played, seen), weights[played * arms + seen]);
          EXPECT_EQ(sparse.weight(played, seen), weights[played * arms + seen]);
        }
      }
      EXPECT_EQ(seen_dense, seen_sparse);

      std::vector<double> vector(arms);
      Stream(9, Purpose::test).fill_uniform(2, vector);
      std::vector<double> from_dense(arms);
      std::vector<double> from_sparse(arms, 7.0);  // the initial values must not matter
      dense.weights().left_multiply(vector, from_dense);
      sparse.weights().left_multiply(vector, from_sparse);
      for (std::size_t seen = 0; seen < arms; ++seen) {
        double expected = 0;
        for (std::size_t played = 0; played < arms; ++played) {
          expected += vector[played] * weights[played * arms + seen];
        }
        EXPECT_EQ(std::bit_cast<std::uint64_t>(from_dense[seen]),
                  std::bit_cast<std::uint64_t>(expected));
        EXPECT_EQ(std::bit_cast<std::uint64_t>(from_sparse[seen]),
                  std::bit_cast<std::uint64_t>(expected));
      }
    }
  }
}

}  // namespace
}  // namespace hearsay
