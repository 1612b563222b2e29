// Compares the learners with clipped and centred estimates (exp3-ivx-clip, exp3-ivc, tsallis-*)
// with plain formulas of docs/learners.md in long double and exact enumeration.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/play/run.h"
#include "tests/every_learner.h"
#include "tests/mean_round.h"
#include "tests/plain_agreement.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

// --- The reference -------------------------------------------------------------------------------

// One learner, given by its name and parameters, computed round by round.
class Plain {
 public:
  explicit Plain(const LearnerSpec& spec)
      : spec_(with_defaults(spec)),
        n_(static_cast<Real>(spec.arms)),
        tsallis_(spec.name.starts_with("tsallis")),
        centred_(spec.name.ends_with("ivc")),
        sums_(spec.arms) {
    if (tsallis_) {
      order_ = *spec_.order;
      ratio_ = order_ / (1 - order_);
      const Real z = 0.25L;
      const Real h = std::pow(1 - z, -ratio_) - 1 - ratio_ * z;
      const Real k = 2 * h / (ratio_ * (ratio_ + 1) * z * z);
      const Real r = spec_.noise_bound;
      const Real moment = spec_.name == "tsallis-wix" ? std::max(1.0L, r * r) : 1;
      constant_ = moment * k / (2 * order_);
    }
  }

  Real rate() const {
    if (spec_.rate) {
      return *spec_.rate;
    }
    if (spec_.arms == 1) {
      return 0;
    }
    if (tsallis_) {
      const Real entropy = (std::pow(n_, 1 - order_) - 1) / (1 - order_);
      const Real first = std::pow(n_, order_) / (centred_ ? 4 : 1);
      return std::min(ratio_ / 4, std::sqrt(entropy / (2 * constant_ * (first + q_sum_))));
    }
    if (spec_.tuning == Tuning::ada) {
      return 1 / (std::max(1.0L, std::sqrt(2 * constant_ * n_ / 4 / std::log(n_))) +
                  gap_sum_ / std::log(n_));
    }
    const Real rate =
        std::sqrt(std::log(n_) / (2 * constant_ * ((centred_ ? n_ / 4 : n_) + q_sum_)));
    return centred_ ? std::min(1.0L, rate) : rate;
  }

  Reals probabilities() const { return probabilities(rate()); }

  PlainResult observe(std::size_t played, const std::vector<double>& c,
                      const std::vector<std::vector<double>>& s) {
    PlainResult result;
    Real q = 0;
    result.rate = rate();
    result.p = probabilities(result.rate);
    result.estimates.assign(spec_.arms, 0);
    Real bias = 0;
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      const Real p = result.p[i];
      Real plain = 0;
      Real around_half = 0;
      for (std::size_t j = 0; j < spec_.arms; ++j) {
        plain += result.p[j] * gain(s[j][i], 1) * s[j][i];
        around_half += result.p[j] * gain(s[j][i], 0.25L) * s[j][i];
      }
      const Real scale =
          tsallis_ ? result.rate * std::pow(p, 1 - order_) / (ratio_ / 4) : result.rate;
      const Real weight = tsallis_ ? std::pow(p, 2 - order_) : p;
      if (centred_ && around_half >= (1 + std::sqrt(2.0L)) * scale) {
        result.estimates[i] =
            0.5L + gain(s[played][i], 0.25L) * (c[i] - s[played][i] / 2) / around_half;
        q += weight / around_half;
        continue;
      }
      const Real lowest =
          centred_ ? 1 : (spec_.name == "tsallis-wix" ? spec_.noise_bound / 4 : 0.5L);
      const Real divisor = std::max(plain, lowest * scale);
      result.estimates[i] = gain(s[played][i], 1) * c[i] / divisor;
      q += weight * (plain / divisor / divisor + (centred_ ? 0.25L : 0));
      bias += p * (1 - plain / divisor);
    }
    const Real gap = mixability(result);
    const Real inverse = result.rate > 0 ? 1 / result.rate : 0;
    const bool by_gap = spec_.tuning == Tuning::ada || spec_.noise == NoiseLevel::learned;
    bound_ += (inverse - last_inverse_) * entropy(result.p) + bias +
              (by_gap ? gap : constant_ * result.rate * q);
    last_inverse_ = inverse;
    gap_sum_ += gap;
    q_sum_ += q;
    learn_noise(c, s[played]);
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      sums_[i] += result.estimates[i];
    }
    result.q = q;
    result.bound = bound_;
    return result;
  }

 private:
  Real gain(Real s, Real loss_moment) const {
    if (spec_.name == "tsallis-wix") {
      return s;
    }
    const Real r2 =
        spec_.noise == NoiseLevel::learned ? noise_ : Real(spec_.noise_bound) * spec_.noise_bound;
    return s == 0 ? 0 : s / (loss_moment * s * s + (1 - s) * (1 - s) * r2);
  }

  // The normaliser of the Tsallis entropy is found by bisection.
  Reals probabilities(Real rate) const {
    const Real least = *std::ranges::min_element(sums_);
    Reals p(spec_.arms);
    const auto fill = [&](Real y) {
      Real total = 0;
      for (std::size_t i = 0; i < p.size(); ++i) {
        const Real d = rate * (sums_[i] - least);
        p[i] = tsallis_ ? std::pow(ratio_ / (d + y), 1 / (1 - order_)) : std::exp(-d);
        total += p[i];
      }
      return total;
    };
    Real total = 0;
    if (tsallis_) {
      Real low = ratio_;
      Real high = ratio_ * std::pow(n_, 1 - order_) + 1;
      for (int k = 0; k < 70; ++k) {
        const Real middle = (low + high) / 2;
        (fill(middle) > 1 ? low : high) = middle;
      }
      total = fill((low + high) / 2);
    } else {
      total = fill(0);
    }
    for (Real& each : p) {
      each /= total;
    }
    return p;
  }

  Real entropy(const Reals& p) const {
    Real sum = 0;
    for (const Real each : p) {
      sum += tsallis_ ? std::pow(each, order_) : (each > 0 ? -each * std::log(each) : 0);
    }
    return tsallis_ ? (sum - 1) / (1 - order_) : sum;
  }

  Real mixability(const PlainResult& result) const {
    if (result.rate == 0) {
      return 0;
    }
    Real mean = 0;
    Real weights = 0;
    for (std::size_t i = 0; i < result.p.size(); ++i) {
      mean += result.p[i] * result.estimates[i];
      weights += result.p[i] * std::exp(-result.rate * result.estimates[i]);
    }
    return mean + std::log(weights) / result.rate;
  }

  void learn_noise(const std::vector<double>& c, const std::vector<double>& s) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (s[i] > 0 && s[i] < 0.6) {
        squares_ += (c[i] - s[i] / 2) * (c[i] - s[i] / 2);
        shares_ += (1 - s[i]) * (1 - s[i]);
      } else if (s[i] >= 0.6 && s[i] < 1) {
        large_squares_ += (c[i] - s[i] / 2) * (c[i] - s[i] / 2);
        large_shares_ += (1 - s[i]) * (1 - s[i]);
        largest_losses_ += s[i] * s[i] / 4;
      }
    }
    ++rounds_;
    if ((rounds_ & (rounds_ - 1)) != 0) {
      return;
    }
    if (shares_ > 0) {
      noise_ = squares_ / shares_;
    } else if (large_shares_ > 0) {
      const Real least = (large_squares_ - largest_losses_) / large_shares_;
      noise_ = std::max(least, std::min(1.0L, large_squares_ / large_shares_));
    }
  }

  LearnerSpec spec_;
  Real n_;
  bool tsallis_;
  bool centred_;
  Real order_ = 1;
  Real ratio_ = 0;
  Real constant_ = std::exp(1.0L) - 2;
  Reals sums_;
  Real q_sum_ = 0;
  Real gap_sum_ = 0;
  Real bound_ = 0;
  Real last_inverse_ = 0;
  Real noise_ = 1;
  Real squares_ = 0;
  Real shares_ = 0;
  Real large_squares_ = 0;
  Real large_shares_ = 0;
  Real largest_losses_ = 0;
  std::uint64_t rounds_ = 0;
};

std::vector<LearnerSpec> clipped_and_centred_learners() {
  return {{.name = "exp3-ivx-clip"},
          {.name = "exp3-ivc"},
          {.name = "exp3-ivc", .noise = NoiseLevel::learned},
          {.name = "exp3-ivc", .tuning = Tuning::ada},
          {.name = "exp3-ivc", .tuning = Tuning::ada, .noise = NoiseLevel::learned},
          {.name = "tsallis-ivx"},
          {.name = "tsallis-ivx", .order = 0.75},
          {.name = "tsallis-wix"},
          {.name = "tsallis-wix", .order = 0.3},
          {.name = "tsallis-ivc"},
          {.name = "tsallis-ivc", .order = 0.75}};
}

TEST(CentredLearners, AgreeWithPlainFormulas) {
  RandomSource dice(1);
  std::vector<LearnerSpec> specs = clipped_and_centred_learners();
  // At these rates coverages are clipped.
  specs.push_back({.name = "exp3-ivx-clip", .rate = 2});
  for (const char* name : {"tsallis-ivx", "tsallis-wix", "tsallis-ivc"}) {
    specs.push_back({.name = name, .rate = 0.25});
  }
  for (LearnerSpec spec : specs) {
    for (const std::size_t n : {1U, 2U, 3U, 7U}) {
      for (const double r : {0.0, 0.5, 1.0, 2.0}) {
        spec.arms = n;
        spec.noise_bound = r;
        expect_agreement<Plain>(spec, dice);
      }
    }
  }
}

// The probabilities p minimize rate * <p, L> - H(p), where L are the sums of losses and H is the
// entropy. At the minimum the derivatives by all p_i are equal, so
// p_i^(order - 1) - p_j^(order - 1) = rate (L_i - L_j) (1 - order) / order.
TEST(Tsallis, HasTheProbabilitiesThatMinimizeTheRegularizedLoss) {
  const auto probabilities = [](double order, const std::vector<double>& sums, double rate) {
    CompensatedSums compensated(sums.size());
    compensated.add(sums);
    std::vector<double> p(sums.size());
    regularizers::tsallis(order)->probabilities(compensated, rate, p, nullptr);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12) << order << " " << rate;
    return p;
  };
  for (const double order : {0.3, 0.5, 0.75}) {
    for (const double rate : {0.01, 1.0, 2.0}) {
      for (const std::vector<double>& sums : {std::vector<double>{0, 1, 2}, {0, 100, 1e6}}) {
        const std::vector<double> p = probabilities(order, sums, rate);
        for (std::size_t i = 1; i < p.size(); ++i) {
          const double power = std::pow(p[i], order - 1);
          EXPECT_NEAR(power - std::pow(p[0], order - 1), rate * sums[i] * (1 - order) / order,
                      1e-12 * power)
              << order << " " << rate << " " << i;
        }
      }
    }
  }
  for (const double order : {0.01, 0.5, 0.99}) {
    for (const double rate : {0.0, 1e-100, 1.0, 1e100}) {
      probabilities(order, {-1e299, 0, 1, 1e299}, rate);  // they sum to 1
    }
  }
}

// --- Bias and second moment, by enumeration ------------------------------------------------------

// A learner at a fixed rate, after rounds that make its probabilities different.
std::unique_ptr<Learner> learner_after_four_rounds(const LearnerSpec& spec, RandomSource& dice) {
  auto learner = make_learner(spec);
  for (int t = 0; t < 4; ++t) {
    const Decision decision = learner->choose(Stream(dice.below(1000), Purpose::draw));
    const std::vector<Observation> seen = {{decision.arm, dice.uniform()}};
    learner->observe(decision, Graph::sparse(spec.arms, {}), {decision.arm, seen});
  }
  return learner;
}

// Checks the proof of the bound step by step, for the mean over the draw and noise of -R or R, in
// one round at a fixed rate: no loss is overestimated, underestimation is at most the bias of the
// bound, and the loss of the draw exceeds the growth of the potential by at most what the bound
// charges. At a fixed rate the bound has no penalty after the first round.
TEST(CentredLearners, CostAtMostWhatTheirBoundChargesInEveryRoundOnAverage) {
  RandomSource dice(2);
  for (LearnerSpec spec : clipped_and_centred_learners()) {
    if (spec.noise == NoiseLevel::learned || spec.tuning == Tuning::ada) {
      continue;  // their bound charges the gap itself; the estimates are those of exp3-ivc
    }
    double largest = 0;
    for (int instance = 0; instance < 250; ++instance) {
      spec.arms = 2 + dice.below(3);
      spec.noise_bound = std::vector{0.0, 0.5, 1.0, 2.0}[dice.below(4)];
      spec.rate = std::pow(10, -2 + 2 * dice.uniform());
      const double order = spec.name.starts_with("tsallis") ? *with_defaults(spec).order : 1;
      if (order < 1) {
        spec.rate = std::min(*spec.rate, order / (1 - order) / 4);
      }
      const std::size_t n = spec.arms;
      std::vector<double> losses(n);
      std::ranges::generate(losses, [&] { return dice.chance(0.5) ? 1 : dice.uniform(); });
      const auto before = learner_after_four_rounds(spec, dice);
      const Graph graph = random_graph(dice, n);
      const std::vector<double> p(probabilities_of(*before).begin(),
                                  probabilities_of(*before).end());
      // Sums that have these probabilities at this rate, for the potential.
      std::vector<double> sums(n);
      for (std::size_t i = 0; i < n; ++i) {
        sums[i] = order == 1 ? -std::log(p[i]) / *spec.rate
                             : order / (1 - order) * std::pow(p[i], order - 1) / *spec.rate;
      }
      double paid = std::inner_product(p.begin(), p.end(), losses.begin(), 0.0);
      double charged = 0;
      std::vector<double> mean(n);
      const auto add = [&](const Learner& learner, double probability) {
        const RoundDetails round = last_round_of(learner).value();
        std::vector<double> after = sums;
        for (std::size_t i = 0; i < n; ++i) {
          after[i] += round.estimates[i];
          mean[i] += probability * round.estimates[i];
        }
        paid -= probability *
                (potential(order, after, *spec.rate) - potential(order, sums, *spec.rate));
        charged += probability * (*certificate_of(learner)->regret_bound -
                                  *certificate_of(*before)->regret_bound);
      };
      for_each_outcome(before->save(), graph, losses, spec.noise_bound, add);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_LE(mean[i], losses[i] + 1e-9) << described(spec);
        ASSERT_GE(mean[i], -1e-9) << described(spec);
      }
      ASSERT_LE(paid, charged * (1 + 1e-9) + 1e-10) << described(spec);
      largest = std::max(largest, paid / charged);
    }
    EXPECT_GT(largest, 0.25) << described(spec) << ": the instances are far from the bound";
  }
}

// --- Late feedback, single arms, saved state -----------------------------------------------------

TEST(CentredLearners, AcceptLateFeedbackAndReportIfItEndsTheBound) {
  RandomSource dice(3);
  const Graph graph = random_graph(dice, 4);
  const auto s = rows_of(graph);
  for (LearnerSpec spec : clipped_and_centred_learners()) {
    spec.arms = 4;
    spec.rate = 0.1;
    spec.bounds = Bounds::all;
    const auto forward = make_learner(spec);
    const auto backward = make_learner(spec);
    std::vector<Decision> decisions;
    std::vector<std::vector<Observation>> seen;
    for (Arm arm = 0; arm < 4; ++arm) {
      decisions.push_back(forward->adopt(arm));
      EXPECT_EQ(backward->adopt(arm), decisions.back());
      seen.push_back(seen_of({0.1, 0.2, 0.3, 0.4}, s[arm]));
    }
    for (std::size_t k = 0; k < 4; ++k) {
      forward->observe(decisions[k], graph, {decisions[k].arm, seen[k]});
      backward->observe(decisions[3 - k], graph, {decisions[3 - k].arm, seen[3 - k]});
    }
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(probabilities_of(*forward)[i], probabilities_of(*backward)[i], 1e-14);
    }
    const Certificate certificate = certificate_of(*forward).value();
    if (spec.name.starts_with("tsallis")) {
      EXPECT_FALSE(certificate.regret_bound);
      EXPECT_EQ(certificate.bounds.front().failed_in_round, 2U) << described(spec);
      EXPECT_NE(certificate.bounds.front().failure.find("feedback came late"), std::string::npos);
    } else {
      EXPECT_TRUE(certificate.regret_bound) << described(spec);
    }
    const auto estimated = std::ranges::find(certificate.bounds, "estimated", &RegretBound::name);
    ASSERT_NE(estimated, certificate.bounds.end());
    EXPECT_TRUE(estimated->value) << "this bound needs no order of the feedback";
    EXPECT_EQ(restore_learner(forward->save())->save(), forward->save());
    EXPECT_EQ(certificate_of(*restore_learner(forward->save()))->bounds, certificate.bounds);
  }
}

TEST(CentredLearners, HaveABoundOfZeroForASingleArm) {
  for (LearnerSpec spec : clipped_and_centred_learners()) {
    spec.arms = 1;
    const auto learner = make_learner(spec);
    const std::vector<Observation> seen = {{0, 0.75}};
    for (int t = 0; t < 3; ++t) {
      learner->observe(learner->choose(Stream(1, Purpose::draw)), Graph::sparse(1, {}), {0, seen});
    }
    EXPECT_EQ(last_round_of(*learner)->rate, 0);
    EXPECT_NEAR(certificate_of(*learner)->regret_bound.value(), 0, 1e-15) << described(spec);
  }
}

// --- Noise without a bound -----------------------------------------------------------------------

TEST(UnboundedNoise, EndsTheBoundUnlessTheLearnerLearnsTheNoise) {
  for (const NoiseLaw law : {NoiseLaw::gaussian, NoiseLaw::student}) {
    const auto certificate_after_a_run = [&](LearnerSpec spec) {
      spec.arms = 9;
      const auto learner = make_learner(spec);
      const auto environment =
          make_environment(losses::bernoulli({.arms = 9}, Stream(1, Purpose::losses)),
                           graphs::fixed(make_grid({.side = 3})));
      hearsay::Run run(*environment, *learner, {law, 1}, {});
      run.steps(300);
      return certificate_of(*learner).value();
    };
    for (const char* name : {"exp3-wix", "exp3-ivx", "exp3-ivx-clip", "exp3-ivc", "tsallis-ivc"}) {
      const Certificate certificate = certificate_after_a_run({.name = name});
      EXPECT_FALSE(certificate.regret_bound) << name;
      EXPECT_GT(certificate.out_of_range, 0U);
      EXPECT_GT(certificate.bounds.front().failed_in_round, 0U);
      EXPECT_EQ(certificate.bounds.front().failure, "an observation was out of range");
    }
    const Certificate learned = certificate_after_a_run(
        {.name = "exp3-ivc", .tuning = Tuning::ada, .noise = NoiseLevel::learned});
    EXPECT_TRUE(learned.regret_bound);
    EXPECT_EQ(learned.out_of_range, 0U);
  }
}

}  // namespace
}  // namespace hearsay
