// Compares the learners with fixed share (exp3-ivx-share, exp3-ivc-share) with plain formulas of
// docs/learners.md in long double, and the regret against sequences of arms.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/run.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Real = long double;
using Reals = std::vector<Real>;
using Rows = std::vector<std::vector<double>>;

// A second implementation of the learners, round by round.
class Plain {
 public:
  Plain(bool centred, std::size_t n, Real r, Real switches)
      : centred_(centred), n_(static_cast<Real>(n)), r_(r), switches_(switches), p_(n, 1 / n_) {}

  const Reals& probabilities() const { return p_; }
  Real bound() const { return bound_; }
  Real per_switch() const { return n_ == 1 ? 0 : std::log(n_ * (rounds_ + 1)) / rate_; }

  Reals observe(std::size_t played, const std::vector<double>& c, const Rows& s) {
    const Real t = rounds_ + 1;
    const Real entropy = std::log(n_) + switches_ * std::log(n_ * (t + 1));
    Real rate =
        std::min(1.0L, std::sqrt(entropy / (2 * kC * ((centred_ ? n_ / 4 : n_) + moments_))));
    rate = rounds_ > 0 ? std::min(rate, rate_) : rate;
    Reals estimates(p_.size());
    Real moment = 0;
    Real bias = 0;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      Real plain = 0;
      Real around_half = 0;
      for (std::size_t j = 0; j < p_.size(); ++j) {
        plain += p_[j] * gain(s[j][i], 1) * s[j][i];
        around_half += p_[j] * gain(s[j][i], 0.25L) * s[j][i];
      }
      if (centred_ && around_half >= (1 + std::sqrt(2.0L)) * rate) {
        estimates[i] = 0.5L + gain(s[played][i], 0.25L) * (c[i] - s[played][i] / 2) / around_half;
        moment += p_[i] / around_half;
      } else {
        const Real divisor = std::max(plain, centred_ ? rate : rate / 2);
        estimates[i] = gain(s[played][i], 1) * c[i] / divisor;
        moment += p_[i] * (plain / divisor / divisor + (centred_ ? 0.25L : 0));
        bias += p_[i] * (1 - plain / divisor);
      }
    }
    if (n_ > 1) {
      bound_ += rounds_ == 0
                    ? std::log(n_) / rate
                    : std::log(n_ * t) * (1 / rate - 1 / rate_) - std::log(1 - 1 / t) / rate_;
    }
    bound_ += bias + kC * rate * moment;
    Real total = 0;
    for (std::size_t i = 0; i < p_.size(); ++i) {
      p_[i] *= std::exp(-rate * estimates[i]);
      total += p_[i];
    }
    for (Real& p : p_) {
      p = (1 - 1 / (t + 1)) * p / total + 1 / (t + 1) / n_;
    }
    moments_ += moment;
    rate_ = rate;
    rounds_ = t;
    return estimates;
  }

 private:
  static constexpr Real kC = 0.718281828459045235360287L;

  Real gain(Real s, Real loss_moment) const {
    return s == 0 ? 0 : s / (loss_moment * s * s + (1 - s) * (1 - s) * r_ * r_);
  }

  bool centred_;
  Real n_;
  Real r_;
  Real switches_;
  Reals p_;
  Real rounds_ = 0;
  Real rate_ = 0;
  Real moments_ = 0;
  Real bound_ = 0;
};

TEST(SharingLearners, AgreeWithPlainFormulas) {
  RandomSource dice(1);
  for (const bool centred : {false, true}) {
    for (const std::size_t n : {1U, 2U, 5U}) {
      for (const double r : {0.0, 1.0, 2.0}) {
        for (const std::size_t switches : {0U, 1U, 10U}) {
          const auto learner = make_learner({.name = centred ? "exp3-ivc-share" : "exp3-ivx-share",
                                             .arms = n,
                                             .noise_bound = r,
                                             .switches = switches});
          Plain plain(centred, n, r, static_cast<Real>(switches));
          for (int t = 0; t < 100; ++t) {
            const Graph graph = random_graph(dice, n);
            const Rows s = rows_of(graph);
            for (std::size_t i = 0; i < n; ++i) {
              ASSERT_NEAR(probabilities_of(*learner)[i],
                          static_cast<double>(plain.probabilities()[i]), 1e-10);
            }
            const Decision decision = learner->choose(Stream(n, Purpose::draw));
            std::vector<double> c(n);
            for (std::size_t i = 0; i < n; ++i) {
              const double weight = s[decision.arm][i];
              c[i] = weight * dice.uniform() + (1 - weight) * r * (2 * dice.uniform() - 1);
            }
            learner->observe(decision, graph, {decision.arm, seen_of(c, s[decision.arm])});
            plain.observe(decision.arm, c, s);
            const RegretBound bound = certificate_of(*learner).value().bounds.front();
            const auto expected = static_cast<double>(plain.bound());
            ASSERT_NEAR(bound.value.value(), expected, 1e-9 * (1 + expected));
            ASSERT_NEAR(bound.per_switch.value(), static_cast<double>(plain.per_switch()),
                        1e-9 * (1 + static_cast<double>(plain.per_switch())));
          }
        }
      }
    }
  }
}

// The best arm changes twice. The bound for k = 2 switches is above the mean regret against the
// best arm of each part, and the bound for k = 0 is above the mean regret against the best single
// arm.
TEST(SharingLearners, BoundTheRegretAgainstSequencesOfArms) {
  constexpr std::uint64_t kRounds = 300;
  constexpr std::uint64_t kRuns = 40;
  RandomSource dice(2);
  for (const char* name : {"exp3-ivx-share", "exp3-ivc-share"}) {
    for (int world = 0; world < 4; ++world) {
      const std::size_t n = 3;
      const Graph graph = random_graph(dice, n);
      std::vector<double> excess;
      std::vector<double> excess_single;
      for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
        const auto learner = make_learner({.name = name, .arms = n, .switches = 2});
        std::vector<double> totals(n);
        double suffered = 0;
        double loss_of_sequence = 0;
        std::vector<Observation> seen;
        for (std::uint64_t t = 1; t <= kRounds; ++t) {
          const Arm best = static_cast<Arm>(3 * (t - 1) / kRounds);
          std::vector<double> losses(n, 1.0);
          losses[best] = 0;
          const Decision decision = learner->choose(Stream(seed, Purpose::draw));
          reveal(graph, decision.arm, losses, {NoiseLaw::rademacher, 1},
                 Stream(seed, Purpose::noise), t, seen);
          learner->observe(decision, graph, {decision.arm, seen});
          suffered += losses[decision.arm];
          loss_of_sequence += losses[best];
          for (std::size_t i = 0; i < n; ++i) {
            totals[i] += losses[i];
          }
        }
        const RegretBound bound = certificate_of(*learner).value().bounds.front();
        excess.push_back(suffered - loss_of_sequence - (*bound.value + 2 * *bound.per_switch));
        excess_single.push_back(suffered - *std::ranges::min_element(totals) - *bound.value);
      }
      for (const std::vector<double>& runs : {excess, excess_single}) {
        double mean = 0;
        double squares = 0;
        for (const double value : runs) {
          mean += value / kRuns;
          squares += value * value / kRuns;
        }
        const double error = std::sqrt(std::max(0.0, squares - mean * mean) / (kRuns - 1));
        EXPECT_LE(mean, 4 * error) << name << ", world " << world;
      }
    }
  }
}

TEST(SharingLearners, SayThatLateFeedbackEndsTheBoundAndContinueFromASavedState) {
  const Graph graph = Graph::sparse(2, {{0, 1, 0.5}});
  for (const char* name : {"exp3-ivx-share", "exp3-ivc-share"}) {
    const auto learner = make_learner({.name = name, .arms = 2, .bounds = Bounds::all});
    const Decision first = learner->adopt(0);
    const Decision second = learner->adopt(1);
    const std::vector<Observation> seen_first = {{0, 0.5}, {1, 0.25}};
    const std::vector<Observation> seen_second = {{1, 1.0}};
    learner->observe(second, graph, {1, seen_second});
    learner->observe(first, graph, {0, seen_first});
    const Certificate certificate = certificate_of(*learner).value();
    EXPECT_FALSE(certificate.regret_bound);
    EXPECT_EQ(certificate.bounds.front().name, "tracking");
    EXPECT_EQ(certificate.bounds.front().failed_in_round, 2U);
    EXPECT_TRUE(certificate.bounds.back().value) << "the bound `estimated`";
    EXPECT_EQ(restore_learner(learner->save())->save(), learner->save());
    EXPECT_EQ(certificate_of(*restore_learner(learner->save()))->bounds, certificate.bounds);
  }
}

}  // namespace
}  // namespace hearsay
