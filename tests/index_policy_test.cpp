#include "hearsay/learner/index_policy.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Real = long double;

// The means of docs/learners.md, computed without the library.
struct Means {
  explicit Means(std::size_t n) : precision(n), weighted_sum(n) {}

  void add(std::size_t arm, Real c, Real s, Real r) {
    const Real v = 0.25L + r * r * (1 - s) * (1 - s) / (s * s);
    precision[arm] += 1 / v;
    weighted_sum[arm] += c / s / v;
  }

  std::vector<Real> precision;
  std::vector<Real> weighted_sum;
};

using PlainIndex = std::function<Real(Real mean, Real precision, std::uint64_t round, Arm arm)>;

Arm arm_of_least_index(const Means& means, std::uint64_t round, const PlainIndex& index) {
  Arm best = 0;
  Real smallest = std::numeric_limits<Real>::infinity();
  for (Arm i = 0; i < means.precision.size(); ++i) {
    if (means.precision[i] == 0) {
      return i;
    }
    const Real value =
        index(means.weighted_sum[i] / means.precision[i], means.precision[i], round, i);
    if (value < smallest) {
      smallest = value;
      best = i;
    }
  }
  return best;
}

TEST(IndexPolicies, MatchPlainFormulas) {
  const Stream draws(3, Purpose::draw);
  const std::vector<std::pair<std::string, PlainIndex>> policies = {
      {"ftl", [](Real mean, Real, std::uint64_t, Arm) { return mean; }},
      {"ucb-n",
       [](Real mean, Real precision, std::uint64_t round, Arm) {
         return mean - std::sqrt(8 * std::log(static_cast<Real>(round)) / precision);
       }},
      {"ts-n", [&](Real mean, Real precision, std::uint64_t round,
                   Arm arm) { return mean + draws.normal(round, arm) / std::sqrt(precision); }},
  };
  RandomSource dice(1);
  for (const auto& [name, index] : policies) {
    for (const std::size_t n : {1U, 2U, 6U}) {
      for (const double r : {0.0, 1.0, 2.0}) {
        auto learner = make_learner({.name = name, .arms = n, .noise_bound = r});
        Means means(n);
        for (std::uint64_t t = 1; t <= 300; ++t) {
          const Graph graph = random_graph(dice, n);
          const Decision decision = learner->choose(draws);
          ASSERT_EQ(decision.arm, arm_of_least_index(means, t, index)) << name << ", round " << t;
          std::vector<Observation> seen;
          for (Arm i = 0; i < n; ++i) {
            const double s = graph.weight(decision.arm, i);
            if (s > 0) {
              const double loss = dice.chance(0.3 + 0.1 * i) ? 1 : 0;
              seen.push_back({i, s * loss + (1 - s) * r * (2 * dice.uniform() - 1)});
              means.add(i, seen.back().value, s, r);
            }
          }
          learner->observe(decision, graph, {decision.arm, seen});
          if (t == 150) {
            learner = restore_learner(learner->save());
          }
        }
      }
    }
  }
}

// Decisions that are drawn before any feedback of the others have draws of their own.
TEST(IndexPolicies, DrawAnewForEveryDecisionThatAwaitsFeedback) {
  const Stream draws(5, Purpose::draw);
  const std::size_t n = 3;
  const Graph graph = Graph::sparse(n, {});
  const auto learner = make_learner({.name = "ts-n", .arms = n});
  Means means(n);
  for (Arm arm = 0; arm < n; ++arm) {
    const Decision decision = learner->choose(draws);
    const std::vector<Observation> seen = {{decision.arm, 0.5}};
    learner->observe(decision, graph, {decision.arm, seen});
    means.add(decision.arm, 0.5, 1, 1);
  }
  std::vector<int> played(n);
  for (std::uint64_t number = n + 1; number <= n + 300; ++number) {
    const Decision decision = learner->choose(draws);
    ++played[decision.arm];
    ASSERT_EQ(decision.arm,
              arm_of_least_index(means, number,
                                 [&](Real mean, Real precision, std::uint64_t of, Arm arm) {
                                   return mean + draws.normal(of, arm) / std::sqrt(precision);
                                 }));
  }
  // Each arm is drawn 100 times on average; 50 is over six standard deviations of 8.2 below.
  EXPECT_GT(std::ranges::min(played), 50);
}

// If all observations are exact, ucb-n has the index of its paper.
TEST(IndexPolicies, HaveTheIndexOfThePaperForExactObservations) {
  const std::size_t n = 3;
  const auto learner = make_learner({.name = "ucb-n", .arms = n});
  const Graph graph = Graph::sparse(n, {{0, 1, 1.0}});
  RandomSource dice(2);
  std::vector<Real> sums(n);
  std::vector<Real> counts(n);
  for (std::uint64_t t = 1; t <= 500; ++t) {
    Arm expected = 0;
    Real smallest = std::numeric_limits<Real>::infinity();
    for (Arm i = 0; i < n; ++i) {
      const Real value =
          counts[i] == 0
              ? -1e9L
              : sums[i] / counts[i] - std::sqrt(2 * std::log(static_cast<Real>(t)) / counts[i]);
      if (value < smallest) {
        smallest = value;
        expected = i;
      }
    }
    const Decision decision = learner->choose(Stream(1, Purpose::draw));
    ASSERT_EQ(decision.arm, expected) << t;
    std::vector<Observation> seen;
    for (const Arm i :
         decision.arm == 0 ? std::vector<Arm>{0, 1} : std::vector<Arm>{decision.arm}) {
      seen.push_back({i, dice.uniform() * (i == 2 ? 0.8 : 1)});
      sums[i] += seen.back().value;
      counts[i] += 1;
    }
    learner->observe(decision, graph, {decision.arm, seen});
  }
}

TEST(IndexPolicies, HaveNoCertificate) {
  for (const char* name : {"ftl", "ucb-n", "ts-n"}) {
    EXPECT_FALSE(certificate_of(*make_learner({.name = name, .arms = 3}))) << name;
    EXPECT_NE(learner_row(name).summary.find("no guarantee"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace hearsay
