#include "hearsay/certificate/independence_check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/families.h"
#include "hearsay/random/stream.h"

namespace hearsay {
namespace {

using Status = CheckedClaim::Status;

// A graph with few distinct weights, so that thresholds and ties matter. It is sparse for even
// seeds and dense for odd ones.
Graph random_graph(std::uint64_t seed) {
  const Stream stream(seed, Purpose::test, 5);
  const std::size_t arms = 1 + seed % 10;
  const double self_weight = seed % 3 == 0 ? 0.5 : 1;
  const double share_of_zeros = 0.2 * static_cast<double>(seed % 5);
  std::vector<Arc> arcs;
  for (Arm i = 0; i < arms; ++i) {
    for (Arm j = 0; j < arms; ++j) {
      const double weight = stream.uniform(i, 100 + j) < share_of_zeros
                                ? 0
                                : (1 + std::floor(8 * stream.uniform(i, j))) / 8;
      if (i == j || weight > 0) {
        arcs.push_back({i, j, i == j ? self_weight : weight});
      }
    }
  }
  Graph sparse = Graph::sparse(arms, std::move(arcs));
  if (seed % 2 == 0) {
    return sparse;
  }
  std::vector<double> weights(arms * arms);
  for (Arm i = 0; i < arms; ++i) {
    for (Arm j = 0; j < arms; ++j) {
      weights[i * arms + j] = sparse.weight(i, j);
    }
  }
  return Graph::dense(arms, std::move(weights));
}

// The independence number at a threshold, by exhaustive search.
std::size_t alpha(const Graph& graph, double threshold) {
  std::size_t best = 0;
  for (std::size_t set = 1; set < (std::size_t{1} << graph.arms()); ++set) {
    bool independent = true;
    for (Arm i = 0; i < graph.arms(); ++i) {
      for (Arm j = 0; j < graph.arms(); ++j) {
        if (i != j && ((set >> i) & (set >> j) & 1U) != 0 && graph.weight(i, j) >= threshold) {
          independent = false;
        }
      }
    }
    best = independent ? std::max(best, static_cast<std::size_t>(std::popcount(set))) : best;
  }
  return best;
}

double effective(const Graph& graph, const Cost& cost) {
  double least = std::numeric_limits<double>::infinity();
  for (int eighth = 1; eighth <= 8; ++eighth) {
    const double threshold = eighth / 8.0;
    if (threshold <= graph.self_weight()) {
      least = std::min(least, cost(alpha(graph, threshold), threshold));
    }
  }
  return least;
}

IndependenceClaims solve(const Graph& graph, double noise_bound) {
  const std::vector<Cost> costs = {inverse_square_cost, noise_cost(noise_bound)};
  std::vector<EffectiveIndependence> results = effective_independence(graph, costs, {});
  IndependenceClaims claims{.arms = graph.arms(), .alpha_star = std::move(results[0])};
  claims.noise = {.noise_bound = noise_bound, .alpha_r = std::move(results[1])};
  return claims;
}

std::vector<Status> statuses(const Graph& graph, const IndependenceClaims& claims) {
  std::vector<Status> result;
  for (const CheckedClaim& each : check_claims(graph, claims, {})) {
    result.push_back(each.status);
  }
  return result;
}

TEST(IndependenceCheck, VerifiesAllThatTheSolverFinds) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    const IndependenceClaims claims = solve(graph, 0.5);
    ASSERT_EQ(statuses(graph, claims), std::vector<Status>(8, Status::verified));
    for (const double threshold : {0.25, 0.5, 1.0}) {
      ASSERT_EQ(
          statuses(graph, {.arms = graph.arms(), .number = independence_number(graph, threshold)}),
          std::vector<Status>(2, Status::verified));
    }
  }
}

TEST(IndependenceCheck, VerifiesBoundsOfASearchThatWasStopped) {
  const Graph graph = make_uniform({.arms = 120}, Stream(1, Purpose::graph));
  for (int calls_before_stop = 0; calls_before_stop < 60; calls_before_stop += 9) {
    int calls = 0;
    const Effort effort{.stop = [&] { return ++calls > calls_before_stop; }};
    const IndependenceClaims claims{
        .arms = graph.arms(), .alpha_star = effective_independence(graph, {.effort = effort})};
    EXPECT_EQ(statuses(graph, claims), std::vector<Status>(4, Status::verified));
    calls = 0;
    EXPECT_EQ(
        statuses(graph, {.arms = graph.arms(), .number = independence_number(graph, 0.7, effort)}),
        std::vector<Status>(2, Status::verified));
  }
}

TEST(IndependenceCheck, NeverVerifiesAFalseClaim) {
  std::size_t refuted = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = random_graph(seed);
    const double noise_bound = 0.5;
    const Cost costs[] = {inverse_square_cost, noise_cost(noise_bound)};
    IndependenceClaims claims = solve(graph, noise_bound);
    const Stream stream(seed, Purpose::test, 6);
    for (std::uint64_t quantity = 0; quantity < 2; ++quantity) {
      const Cost& cost = costs[quantity];
      EffectiveIndependence& claim = quantity == 0 ? *claims.alpha_star : claims.noise->alpha_r;
      // Changes the claim at random: its bounds, its threshold, its witness, its cover or its
      // chain.
      const auto choose = [&](std::uint64_t index, std::size_t options) {
        return static_cast<std::size_t>(stream.uniform(10 * quantity + index) *
                                        static_cast<double>(options));
      };
      switch (choose(0, 6)) {
        case 0:
          claim.lower = claim.upper *= 0.5 + stream.uniform(20 + quantity);
          break;
        case 1:
          claim.threshold = static_cast<double>(1 + choose(1, 8)) / 8;
          claim.lower = claim.upper = cost(claim.independence_upper, claim.threshold);
          break;
        case 2:
          claim.witness.resize(1 + choose(1, claim.witness.size()));
          claim.independence_number = claim.independence_upper = claim.witness.size();
          claim.lower = claim.upper = cost(claim.independence_upper, claim.threshold);
          break;
        case 3:
          if (!claim.cover.empty()) {
            claim.cover[choose(1, claim.cover.size())].bound += choose(2, 2) == 0 ? 1U : 0U;
            CoverGroup& group = claim.cover[choose(3, claim.cover.size())];
            group.bound = std::max<std::size_t>(1, group.bound - 1);
          }
          claim.independence_upper = std::max<std::size_t>(1, claim.independence_upper - 1);
          claim.upper = cost(claim.independence_upper, claim.threshold);
          break;
        case 4:
          if (!claim.chain.empty()) {
            claim.chain.erase(claim.chain.begin() +
                              static_cast<std::ptrdiff_t>(choose(1, claim.chain.size())));
          }
          claim.lower = claim.upper *= 1.25;
          break;
        default:
          if (!claim.chain.empty()) {
            claim.chain[choose(1, claim.chain.size())].largest_weight /= 2;
          }
          claim.lower *= 1.1;
      }
      const std::vector<Status> found = statuses(graph, claims);
      ASSERT_EQ(found.size(), 8U);
      const double truth = effective(graph, cost);
      const std::size_t number = alpha(graph, claim.threshold);
      const bool is_true[] = {claim.lower <= truth, claim.witness.size() <= number,
                              claim.independence_upper >= number, claim.upper >= truth};
      for (std::size_t i = 0; i < 4; ++i) {
        ASSERT_TRUE(is_true[i] || found[4 * quantity + i] != Status::verified) << i;
        refuted += found[4 * quantity + i] == Status::refuted ? 1U : 0U;
      }
      // On graphs this small, the search decides every bound of alpha(threshold).
      ASSERT_NE(found[4 * quantity + 2], Status::not_verified);
      claims = solve(graph, noise_bound);
    }
  }
  EXPECT_GT(refuted, 300U);
}

TEST(IndependenceCheck, RefutesAWitnessInConflict) {
  const Graph graph = make_grid({});
  IndependenceClaims claims{.arms = 25, .number = independence_number(graph, 1)};
  claims.number->witness.back() = 23;  // next to 22
  EXPECT_EQ(check_claims(graph, claims, {})[0].status, Status::refuted);
  claims.arms = 24;
  EXPECT_THROW(check_claims(graph, claims, {}), Error);
}

TEST(IndependenceCheck, DoesNotVerifyABoundThatNeedsASearchIfItIsStopped) {
  const Graph graph = make_uniform({.arms = 400}, Stream(2, Purpose::graph));
  IndependenceClaims claims{.arms = graph.arms(), .number = independence_number(graph, 0.5)};
  ASSERT_TRUE(claims.number->exact());
  claims.number->cover.clear();
  const std::vector<CheckedClaim> checked =
      check_claims(graph, claims, {.stop = [] { return true; }});
  EXPECT_EQ(checked[1].status, Status::not_verified);
  EXPECT_FALSE(checked[1].reason.empty());
}

}  // namespace
}  // namespace hearsay
