// Lemmas 3 and 4 and the proofs of Theorems 5 and 7 of docs/learners.md on random instances. Lemmas
// 1 and 2 are in regret_theorem_test.cpp, those on late feedback in delays_test.cpp.

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/learner/leader.h"
#include "hearsay/learner/mixability.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/weighting.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

// With the Tsallis entropy a round costs at most A * rate * sum of p^(2 - order) * (x - m)^2, if
// rate * (x - m) * p^(1 - order) / r >= -z0 for all arms, where r = order / (1 - order) and z0 is
// kRange. The cost is computed from the minima before and after the round.
TEST(Lemma3, BoundsTheCostOfARoundByTheSecondMoment) {
  constexpr double kRange = 0.25;
  RandomSource dice(1);
  double tightest = 0;
  for (int instance = 0; instance < 100'000; ++instance) {
    const std::size_t n = 2 + dice.below(4);
    const double order = std::vector{0.3, 0.5, 0.75, 0.9}[dice.below(4)];
    const double ratio = order / (1 - order);
    const double h = std::pow(1 - kRange, -ratio) - 1 - ratio * kRange;
    const double constant = h / (order * ratio * (ratio + 1) * kRange * kRange);
    const auto regularizer = regularizers::tsallis(order);
    const double rate = std::exp(dice.between(-3, 1));
    CompensatedSums sums(n);
    std::vector<double> terms(n);
    std::ranges::generate(terms, [&] { return dice.between(0, 5) / rate; });
    sums.add(terms);
    std::vector<double> p(n);
    const auto potential = [&] {
      double entropy = 0;
      regularizer->probabilities(sums, rate, p, &entropy);
      double product = 0;
      for (std::size_t i = 0; i < n; ++i) {
        product += p[i] * sums[i].value();
      }
      return product - entropy / rate;
    };
    const double before = potential();
    const std::vector<double> drawn = p;
    const double centre = dice.between(-1, 1);
    double moment = 0;
    double mean = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double z = dice.chance(0.4) ? -kRange : dice.between(-kRange, 2);
      terms[i] = centre + z * ratio / (rate * std::pow(drawn[i], 1 - order));
      mean += drawn[i] * terms[i];
      moment += std::pow(drawn[i], 2 - order) * (terms[i] - centre) * (terms[i] - centre);
    }
    sums.add(terms);
    const double cost = mean - (potential() - before);
    const double bound = constant * rate * moment;
    ASSERT_LE(cost, bound * (1 + 1e-6) + 1e-6 / rate) << "order " << order;
    tightest = bound > 1e-3 / rate ? std::max(tightest, cost / bound) : tightest;
  }
  EXPECT_GT(tightest, 0.8);
}

// gain(s) and coverage(s) between different arms.
double gain_of(const Weighting& weighting, double weight) {
  double gain = 0;
  weighting.gains({&weight, 1}, {&gain, 1});
  return gain;
}
double coverage_of(const Weighting& weighting, double weight) {
  double coverage = 0;
  weighting.coverages({&weight, 1}, {&coverage, 1});
  return coverage;
}

// A weight in [0.01, 1], in one case of ten exactly 1.
double some_weight(RandomSource& dice) {
  return dice.chance(0.1) ? 1 : dice.between(0.01, 1);
}

// One observation, multiplied by its gain, for losses in [0, 1] and noise of -R or R: its mean, its
// range, and its second moment, which the coverage bounds.
TEST(Lemma4, BoundsMeanRangeAndSecondMomentOfEveryWeighting) {
  constexpr double kRho = 1 + std::numbers::sqrt2;
  RandomSource dice(3);
  double largest_plain = 0;
  double largest_centred = 0;
  double lowest = 0;
  for (int instance = 0; instance < 100'000; ++instance) {
    const double r = dice.chance(0.1) ? 0 : std::exp(dice.between(-3, 2));
    const double s = some_weight(dice);
    const double loss = dice.chance(0.5) ? static_cast<double>(dice.below(2)) : dice.uniform();
    const auto check = [&](const Weighting& weighting, double centre, double low, double high,
                           double moment) {
      const double gain = gain_of(weighting, s);
      const double coverage = coverage_of(weighting, s);
      ASSERT_NEAR(coverage, gain * s, 1e-12 * coverage);
      double mean = 0;
      double second = 0;
      for (const double noise : {-r, r}) {
        const double value = gain * (s * loss + (1 - s) * noise - centre * s);
        ASSERT_GE(value, low - 1e-12);
        ASSERT_LE(value, high + 1e-12);
        mean += value / 2;
        second += value * value / 2;
      }
      ASSERT_NEAR(mean, coverage * (loss - centre), 1e-12 * (coverage + gain * r));
      ASSERT_LE(second, moment * coverage * (1 + 1e-12));
    };
    const auto ivx = weightings::inverse_variance(r);
    const auto ivc = weightings::centred_inverse_variance(r);
    check(*weightings::by_power(1), 0, -r / 4, 1 + r, std::max(1.0, r * r));
    check(*ivx, 0, -0.5, kRho / 2, 1);
    check(*ivc, 0.5, -kRho, kRho, 1);
    const double noise = (1 - s) * r;
    largest_plain = std::max(largest_plain, gain_of(*ivx, s) * (s + noise));
    lowest = std::min(lowest, -gain_of(*ivx, s) * noise);
    largest_centred = std::max(largest_centred, gain_of(*ivc, s) * (s / 2 + noise));
  }
  EXPECT_GT(largest_plain, 0.999 * kRho / 2);
  EXPECT_LT(lowest, -0.999 / 2);
  EXPECT_GT(largest_centred, 0.999 * kRho);
}

// The proof of Theorem 5 in one round: the mean of exp(lambda * (estimate - loss)) over the draw
// and the noise is at most exp((e - 2) * lambda^2 * v), if lambda times the largest value of
// estimate - middle is at most 1.
TEST(HighProbabilityBound, IsMadeOfFactorsWhoseMeanIsAtMostOne) {
  constexpr double kRho = 1 + std::numbers::sqrt2;
  RandomSource dice(4);
  double tightest = 0;
  for (int instance = 0; instance < 100'000; ++instance) {
    const double r = dice.chance(0.1) ? 0 : std::exp(dice.between(-2, 1));
    const double loss = dice.chance(0.5) ? static_cast<double>(dice.below(2)) : dice.uniform();
    const double floor = std::exp(dice.between(-5, 0));
    const auto ivx = weightings::inverse_variance(r);
    const auto ivc = weightings::centred_inverse_variance(r);
    std::vector<double> p(1 + dice.below(3));
    std::ranges::generate(p, [&] { return std::exp(dice.between(-6, 0)); });
    scale_to_one(p);
    std::vector<double> weights(p.size());
    std::ranges::generate(weights, [&] { return dice.chance(0.2) ? 0 : some_weight(dice); });
    weights.front() = 1;  // the arm itself
    double plain = 0;
    double centred = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      plain += weights[j] > 0 ? p[j] * coverage_of(*ivx, weights[j]) : 0;
      centred += weights[j] > 0 ? p[j] * coverage_of(*ivc, weights[j]) : 0;
    }
    const bool is_centred = centred >= 2 * kRho * floor;
    const double divisor = is_centred ? centred : std::max(plain, floor);
    const double middle = is_centred ? 0.5 : 0;
    const double v = is_centred ? 1 / centred : plain / divisor / divisor;
    const double largest = is_centred ? kRho / centred : kRho / 2 / divisor;
    const double lambda = (dice.chance(0.5) ? 1 : dice.uniform()) / largest;
    double mean = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      for (const double noise : {-r, r}) {
        double estimate = middle;
        if (weights[j] > 0) {
          const double c = weights[j] * loss + (1 - weights[j]) * noise;
          const double gain = gain_of(is_centred ? *ivc : *ivx, weights[j]);
          estimate += gain * (c - middle * weights[j]) / divisor;
        }
        mean += p[j] / 2 * std::exp(lambda * (estimate - loss));
      }
    }
    const double bound = std::exp((std::numbers::e - 2) * lambda * lambda * v);
    ASSERT_LE(mean, bound * (1 + 1e-12));
    tightest = std::max(tightest, mean / bound);
  }
  EXPECT_GT(tightest, 0.95);
}

// Against a sequence of arms with k switches, exponential weights with fixed share and rates that
// never rise have at most the regret of docs/learners.md, Theorem 7, whatever the estimates.
TEST(FixedShare, HasAtMostTheRegretOfItsBoundAgainstEverySequence) {
  RandomSource dice(2);
  double tightest = 0;
  std::vector<double> scratch;
  for (int instance = 0; instance < 100'000; ++instance) {
    constexpr std::size_t kRounds = 8;
    const std::size_t n = dice.chance(0.5) ? 2 + dice.below(3) : 20;
    const bool easy = dice.chance(0.3);  // the sequence is the only one that does well
    const auto arms = static_cast<double>(n);
    const auto leader = fixed_share(n, [](const RoundTotals& totals, double /*z*/) {
      return 1 / (static_cast<double>(totals.rounds) + 1);
    });
    std::vector<double> p(n);
    std::vector<double> estimates(n);
    double rate = std::exp(dice.between(-2, 1));
    double last_rate = 0;
    double bound = 0;
    double gaps = 0;
    double regret = 0;
    double switches = 0;
    std::size_t arm = dice.below(n);
    RoundTotals totals;
    for (std::size_t t = 1; t <= kRounds; ++t) {
      rate *= dice.chance(0.6) ? 1 : dice.between(0.3, 1);
      if (t > 1 && dice.chance(0.2)) {
        const std::size_t other = dice.below(n);
        switches += other == arm ? 0 : 1;
        arm = other;
      }
      leader->probabilities(rate, p, nullptr);
      std::ranges::generate(estimates, [&] { return easy ? 6 / rate : dice.between(-2, 3); });
      if (easy || dice.chance(0.7)) {
        estimates[arm] = easy ? -6 / rate : -2;  // a sequence that does well
      }
      const auto round = static_cast<double>(t);
      bound += t == 1 ? std::log(arms) / rate
                      : std::log(arms * round) * (1 / rate - 1 / last_rate) -
                            std::log1p(-1 / round) / last_rate;
      const double gap = mixability_gap(p, estimates, rate, scratch);
      bound += gap;
      gaps += gap;
      regret += std::inner_product(p.begin(), p.end(), estimates.begin(), 0.0) - estimates[arm];
      last_rate = rate;
      totals.rounds = t;
      leader->add(estimates, rate, totals);
    }
    bound += switches * std::log(arms * (kRounds + 1)) / rate;
    ASSERT_LE(regret, bound * (1 + 1e-9));
    tightest = std::max(tightest, (regret - gaps) / (bound - gaps));
  }
  EXPECT_GT(tightest, 0.9);
}

}  // namespace
}  // namespace hearsay
