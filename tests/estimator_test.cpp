#include "hearsay/learner/estimator.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/weighting.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

// The state of a learner after some rounds, whose probabilities differ.
std::string state_after_rounds(const LearnerSpec& spec, RandomSource& dice) {
  const auto learner = make_learner(spec);
  for (int t = 0; t < 5; ++t) {
    const Graph graph = Graph::sparse(spec.arms, {});
    const Arm arm = static_cast<Arm>(dice.below(spec.arms));
    const std::vector<Observation> seen = {{arm, dice.uniform()}};
    learner->observe(learner->adopt(arm), graph, {arm, seen});
  }
  return learner->save();
}

// The mean of the estimates over every arm that may be drawn and every outcome of a noise that is
// -R or R: exact, no sampling.
std::vector<double> mean_estimates(const std::string& state, const Graph& graph,
                                   const std::vector<double>& losses, double noise_bound) {
  const std::size_t n = graph.arms();
  std::vector<double> means(n, 0.0);
  for (Arm played = 0; played < n; ++played) {
    for (const double noise : {-noise_bound, noise_bound}) {
      const auto learner = restore_learner(state);
      const double probability = probabilities_of(*learner)[played];
      std::vector<Observation> seen;
      for (Arm i = 0; i < n; ++i) {
        const double weight = graph.weight(played, i);
        seen.push_back({i, weight * losses[i] + (1 - weight) * noise});
      }
      learner->observe(learner->adopt(played), graph, {played, seen});
      for (Arm i = 0; i < n; ++i) {
        means[i] += probability / 2 * last_round_of(*learner)->estimates[i];
      }
    }
  }
  return means;
}

TEST(Estimator, IsUnbiasedWithoutExploration) {
  RandomSource dice(1);
  const std::vector<LearnerSpec> specs = {
      {.name = "exp3"},
      {.name = "exp3-ix"},
      {.name = "exp3-basic"},
      {.name = "exp3-ixt", .threshold = 0.0},
      {.name = "exp3-ixt", .threshold = 0.5},
      {.name = "exp3-ixt", .threshold = 1.0},
      {.name = "exp3-wix"},
      {.name = "exp3-wix", .delta = 1.7},
      {.name = "exp3-wix", .tuning = Tuning::sharp},
      {.name = "exp3-ivx"},
  };
  for (LearnerSpec spec : specs) {
    for (const double noise_bound : {0.0, 0.5, 1.0, 2.0}) {
      for (std::size_t n = 1; n <= 6; ++n) {
        spec.arms = n;
        spec.noise_bound = noise_bound;
        spec.rate = 0.1;
        spec.exploration = 0;
        const Graph graph = random_graph(dice, n);
        std::vector<double> losses(n);
        std::ranges::generate(losses, [&] { return dice.uniform(); });
        const std::string state = state_after_rounds(spec, dice);
        const std::vector<double> means = mean_estimates(state, graph, losses, noise_bound);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_NEAR(means[i], losses[i], 1e-13) << spec.name;
        }
      }
    }
  }
}

TEST(Estimator, IsUnbiasedForSelfWeightsBelowOne) {
  RandomSource dice(2);
  for (const char* name : {"exp3-wix", "exp3-ivx", "exp3-basic"}) {
    const LearnerSpec spec{.name = name, .arms = 4, .exploration = 0.0};
    const Graph graph = random_graph(dice, 4, 0.6);
    const std::vector<double> losses = {0.1, 0.9, 0.4, 0.7};
    const std::string state = make_learner(spec)->save();
    const std::vector<double> means = mean_estimates(state, graph, losses, 1);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(means[i], losses[i], 1e-13) << name;
    }
  }
}

// exp3-ixb takes an observation, whose mean is weight * loss, for the loss itself: the mean of its
// estimate is the loss times the mean weight of the arcs that it keeps.
TEST(Estimator, TakenAsLossIsBiasedByTheMeanWeightKept) {
  RandomSource dice(3);
  for (const double threshold : {0.0, 0.3, 0.6, 1.0}) {
    const std::size_t n = 5;
    const LearnerSpec spec{
        .name = "exp3-ixb", .arms = n, .rate = 0.1, .exploration = 0.0, .threshold = threshold};
    const Graph graph = random_graph(dice, n);
    const std::vector<double> losses = {0.1, 0.9, 0.4, 0.7, 1.0};
    const std::string state = state_after_rounds(spec, dice);
    const auto learner = restore_learner(state);
    const std::span<const double> p = probabilities_of(*learner);
    const std::vector<double> means = mean_estimates(state, graph, losses, 1);
    for (Arm i = 0; i < n; ++i) {
      double probability_kept = 0;
      double weight_kept = 0;
      for (Arm j = 0; j < n; ++j) {
        if (i == j || graph.weight(j, i) >= threshold) {
          probability_kept += p[j];
          weight_kept += p[j] * graph.weight(j, i);
        }
      }
      EXPECT_NEAR(means[i], losses[i] * weight_kept / probability_kept, 1e-13) << threshold;
    }
  }
}

TEST(Coverage, HasTheSameBitsInEveryStorage) {
  RandomSource dice(4);
  for (std::size_t n = 1; n <= 9; ++n) {
    const std::vector<double> weights = random_weights(dice, n);
    std::vector<Arc> arcs;
    for (std::size_t k = 0; k < n * n; ++k) {
      arcs.push_back({static_cast<Arm>(k / n), static_cast<Arm>(k % n), weights[k]});
    }
    const Graph dense = Graph::dense(n, weights);
    const Graph sparse = Graph::sparse(n, arcs);
    std::vector<double> p(n);
    std::ranges::generate(p, [&] { return dice.uniform(); });
    for (const auto& weighting :
         {weightings::own_loss(), weightings::taken_as_loss(0), weightings::taken_as_loss(0.5),
          weightings::truncated(0.5), weightings::by_power(1), weightings::inverse_variance(1)}) {
      std::vector<double> of_dense(n);
      std::vector<double> of_sparse(n);
      Coverage(*weighting, dense).of(p, of_dense);
      Coverage(*weighting, sparse).of(p, of_sparse);
      EXPECT_EQ(of_dense, of_sparse);
    }
  }
}

TEST(Weighting, ByInverseVarianceIsFiniteForTheSmallestWeights) {
  for (const double noise_bound : {0.0, 1e-100, 1.0, 1e100}) {
    const auto weighting = weightings::inverse_variance(noise_bound);
    const std::vector<double> weights = {0, 5e-324, 1e-310, 2.3e-308, 1e-200, 1e-100, 0.5, 1};
    std::vector<double> gains(weights.size());
    std::vector<double> coverages(weights.size());
    weighting->gains(weights, gains);
    weighting->coverages(weights, coverages);
    for (std::size_t k = 0; k < weights.size(); ++k) {
      EXPECT_TRUE(gains[k] >= 0 && std::isfinite(gains[k])) << weights[k];
      EXPECT_TRUE(coverages[k] >= 0 && coverages[k] <= 1) << weights[k];
      EXPECT_NEAR(gains[k] * weights[k], coverages[k], 1e-15) << "weight " << weights[k];
    }
  }
}

}  // namespace
}  // namespace hearsay
