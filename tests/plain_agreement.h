#pragma once

// Compares a learner with a plain implementation of its formulas, round by round.

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "tests/every_learner.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {

// What the plain formulas give for a round.
struct PlainResult {
  long double rate = 0;
  std::vector<long double> p = {};
  std::vector<long double> estimates = {};
  std::optional<long double> q = {};      // empty: not compared
  std::optional<long double> bound = {};  // the designated one; empty: the learner has none
};

inline void expect_close(double actual, long double expected, const std::string& name) {
  const auto value = static_cast<double>(expected);
  EXPECT_NEAR(actual, value, 1e-9 * (1 + std::abs(value))) << name;
}

// Plays the learner of a spec for 150 random rounds, in which the graph changes now and then, and
// saves and restores it halfway. `Plain` has a constructor from a spec, probabilities(), and
// observe(arm played, observations, rows of weights), which returns a PlainResult.
template <class Plain>
void expect_agreement(const LearnerSpec& spec, RandomSource& dice) {
  SCOPED_TRACE(described(spec) + ", " + std::to_string(spec.arms) + " arms, noise bound " +
               std::to_string(spec.noise_bound));
  const std::size_t n = spec.arms;
  auto learner = make_learner(spec);
  Plain plain(spec);
  Graph graph = random_graph(dice, n);
  for (int t = 0; t < 150; ++t) {
    if (dice.chance(0.2)) {
      graph = random_graph(dice, n);
    }
    const auto s = rows_of(graph);
    const auto p = plain.probabilities();
    for (std::size_t i = 0; i < n; ++i) {
      expect_close(probabilities_of(*learner)[i], p[i], "probability");
    }
    const Decision decision = learner->choose(Stream(n, Purpose::draw));
    std::vector<double> c(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double weight = s[decision.arm][i];
      const double loss = i == 0 ? dice.uniform() / 2 : dice.uniform();
      c[i] = weight * loss + (1 - weight) * spec.noise_bound * (2 * dice.uniform() - 1);
    }
    learner->observe(decision, graph, {decision.arm, seen_of(c, s[decision.arm])});
    const PlainResult expected = plain.observe(decision.arm, c, s);
    const RoundDetails details = last_round_of(*learner).value();
    expect_close(details.rate, expected.rate, "rate");
    if (expected.q) {
      expect_close(details.q, *expected.q, "q");
    }
    for (std::size_t i = 0; i < n; ++i) {
      expect_close(details.estimates[i], expected.estimates[i], "estimate");
    }
    const std::optional<double> bound = certificate_of(*learner)->regret_bound;
    ASSERT_EQ(bound.has_value(), expected.bound.has_value());
    if (bound) {
      expect_close(*bound, *expected.bound, "bound");
    }
    ASSERT_FALSE(::testing::Test::HasFailure()) << "round " << t;
    if (t == 75) {
      learner = restore_learner(learner->save());
    }
  }
}

}  // namespace hearsay
