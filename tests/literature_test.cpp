// Compares the learners of the literature (hearsay/learner/literature.cpp) with plain formulas of
// docs/learners.md in long double and exact enumeration.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/regularizer.h"
#include "tests/every_learner.h"
#include "tests/mean_round.h"
#include "tests/plain_agreement.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Real = long double;
using Reals = std::vector<Real>;
using Rows = std::vector<std::vector<double>>;

constexpr Real kE = 2.718281828459045235360287L;

// --- The reference -------------------------------------------------------------------------------

// One learner, given by its name and parameters, computed round by round.
class Plain {
 public:
  explicit Plain(const LearnerSpec& spec)
      : spec_(with_defaults(spec)),
        n_(static_cast<Real>(spec.arms)),
        sums_(spec.arms),
        weights_(spec.arms, 1) {
    const Real alpha = std::min(static_cast<Real>(spec_.alpha.value_or(1)), n_);
    const Real t = static_cast<Real>(spec_.horizon.value_or(1));
    if (is("tsallis-inf")) {
      order_ = 0.5L;
    } else if (is("q-ftrl")) {
      const Real x = std::log(n_ / alpha);
      order_ = (1 + x / (std::sqrt(x * x + 4) + 2)) / 2;
      fixed_rate_ = std::sqrt(2 * order_ * std::pow(n_, 1 - order_) /
                              (t * (1 - order_) * std::pow(alpha, order_)));
    } else if (is("exp3.g")) {
      share_ = std::min(0.5L, 1 / std::sqrt(alpha * t));
      fixed_rate_ = 2 * share_;
    } else if (is("exp3.s")) {
      const Real h = static_cast<Real>(*spec_.switches) + 1;
      share_ = std::min(1.0L, std::sqrt(n_ * (h * std::log(n_ * t) + kE) / ((kE - 1) * t)));
      fixed_rate_ = share_ / n_;
    } else if (spec.arms > 1) {
      inverse_rate_ = is("ito") ? std::sqrt(2 * (kE - 2) * n_ / std::log(n_))
                                : std::max(1.0L, std::sqrt((kE - 2) * n_ / 2 / std::log(n_)));
    }
  }

  Real rate() const {
    if (spec_.rate) {
      return *spec_.rate;
    }
    if (is("exp3.g") || is("exp3.s") || (fixed_rate_ && spec_.arms > 1)) {
      return *fixed_rate_;
    }
    if (spec_.arms == 1) {
      return 0;
    }
    if (is("tsallis-inf")) {  // half of the rate in the scaling of its paper
      return (spec_.tuning == Tuning::rv ? 4 : 2) / std::sqrt(static_cast<Real>(rounds_ + 1)) / 2;
    }
    if (is("exp3-set")) {
      return std::sqrt(std::log(n_) / (n_ + q_sum_));
    }
    return 1 / inverse_rate_;
  }

  Reals probabilities() const {
    Reals p = is("exp3.s") ? weights_ : (order_ < 1 ? tsallis() : softmax());
    const Real total = std::accumulate(p.begin(), p.end(), 0.0L);
    for (Real& each : p) {
      each = (1 - share_) * each / total + share_ / n_;
    }
    return p;
  }

  PlainResult observe(std::size_t played, const std::vector<double>& c, const Rows& s) {
    PlainResult result{.rate = rate(), .p = probabilities()};
    result.estimates.assign(spec_.arms, 0);
    Real bias = 0;
    Real moment = 0;
    if (is("tsallis-inf")) {
      own_loss_with_baseline(result, played, c[played], moment);
    } else if (is("exp3.s")) {
      exp3_s_round(result, played, c[played]);
    } else if (is("ito") || is("spa")) {
      noisy_round(result, played, c, s, bias, moment);
    } else {
      perfect_round(result, played, c, s, moment);
    }
    const Real entropy = entropy_of(result.p);
    const Real inverse = result.rate > 0 ? 1 / result.rate : 0;
    if (!is("exp3.g") && !is("exp3.s")) {
      bound_ += (inverse - last_inverse_) * entropy + bias + constant() * result.rate * moment;
      result.bound = bound_;
    }
    last_inverse_ = inverse;
    q_sum_ += moment;
    entropies_ += entropy;
    ++rounds_;
    if (is("ito") && spec_.arms > 1) {
      const Real c_squared = (kE - 2) * (q_sum_ / rounds_) / std::log(n_);
      inverse_rate_ += std::sqrt(c_squared) / std::sqrt(1 + entropies_ / std::log(n_));
    } else if (is("spa") && spec_.arms > 1) {
      inverse_rate_ += (kE - 2) * moment / (inverse_rate_ * std::max(entropy, std::log(n_) / 1000));
    }
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      sums_[i] += result.estimates[i];
    }
    return result;
  }

 private:
  bool is(const char* name) const { return spec_.name == name; }

  Real constant() const {
    if (is("exp3-set")) {
      return 0.5L;
    }
    if (is("q-ftrl")) {
      return 1 / (2 * order_);
    }
    if (is("tsallis-inf")) {
      return spec_.tuning == Tuning::rv ? 4.0L / 3 : 1;
    }
    return kE - 2;
  }

  Reals softmax() const {
    const Real least = *std::ranges::min_element(sums_);
    Reals p(spec_.arms);
    std::ranges::transform(sums_, p.begin(),
                           [&](Real sum) { return std::exp(-rate() * (sum - least)); });
    return p;
  }

  // The normaliser is found by bisection.
  Reals tsallis() const {
    const Real least = *std::ranges::min_element(sums_);
    const Real ratio = order_ / (1 - order_);
    Reals p(spec_.arms);
    const auto fill = [&](Real y) {
      for (std::size_t i = 0; i < p.size(); ++i) {
        p[i] = std::pow(ratio / (rate() * (sums_[i] - least) + y), 1 / (1 - order_));
      }
      return std::accumulate(p.begin(), p.end(), 0.0L);
    };
    Real low = ratio;
    Real high = ratio * std::pow(n_, 1 - order_) + 1;
    for (int k = 0; k < 70; ++k) {
      const Real middle = (low + high) / 2;
      (fill(middle) > 1 ? low : high) = middle;
    }
    fill((low + high) / 2);
    return p;
  }

  Real entropy_of(const Reals& p) const {
    Real sum = 0;
    for (const Real each : p) {
      sum += order_ < 1 ? std::pow(each, order_) : (each > 0 ? -each * std::log(each) : 0);
    }
    return order_ < 1 ? (sum - 1) / (1 - order_) : sum;
  }

  // tsallis-inf, with h the rate in the scaling of its paper.
  void own_loss_with_baseline(PlainResult& result, std::size_t played, Real loss,
                              Real& moment) const {
    const Real h = 2 * result.rate;
    bool some_centred = false;
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      const bool centred = spec_.tuning == Tuning::rv && result.p[i] >= h * h;
      const Real baseline = centred ? 0.5L : 0;
      result.estimates[i] = baseline + (i == played ? (loss - baseline) / result.p[i] : 0);
      some_centred = some_centred || centred;
    }
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      const Real p = result.p[i];
      const bool centred = spec_.tuning == Tuning::rv && p >= h * h;
      const Real second_moment = centred ? 1 / (4 * p) : (some_centred ? 1 / p - 0.75L : 1 / p);
      moment += std::pow(p, 1.5L) * second_moment;
    }
  }

  // exp3.s, which its paper states in rewards.
  void exp3_s_round(PlainResult& result, std::size_t played, Real loss) {
    const Real a = 1 / static_cast<Real>(*spec_.horizon);
    const Real total = std::accumulate(weights_.begin(), weights_.end(), 0.0L);
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      const Real reward = i == played ? (1 - loss) / result.p[i] : 0;
      result.estimates[i] = 1 - reward;
      weights_[i] = weights_[i] * std::exp(share_ * reward / n_) + kE * a / n_ * total;
    }
    const Real largest = *std::ranges::max_element(weights_);
    for (Real& weight : weights_) {
      weight /= largest;
    }
  }

  // exp3-set, q-ftrl and exp3.g use only arcs of weight 1.
  void perfect_round(PlainResult& result, std::size_t played, const std::vector<double>& c,
                     const Rows& s, Real& moment) const {
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      Real seen = 0;
      for (std::size_t j = 0; j < spec_.arms; ++j) {
        seen += s[j][i] == 1 ? result.p[j] : 0;
      }
      result.estimates[i] = s[played][i] == 1 ? c[i] / seen : 0;
      moment += std::pow(result.p[i], order_ < 1 ? 2 - order_ : 1) / seen;
    }
  }

  Real gain(Real s, Real loss_moment) const {
    const Real r = spec_.noise_bound;
    return s == 0 ? 0 : s / (loss_moment * s * s + (1 - s) * (1 - s) * r * r);
  }

  void noisy_round(PlainResult& result, std::size_t played, const std::vector<double>& c,
                   const Rows& s, Real& bias, Real& moment) const {
    for (std::size_t i = 0; i < spec_.arms; ++i) {
      const Real p = result.p[i];
      Real plain = 0;
      Real around_half = 0;
      for (std::size_t j = 0; j < spec_.arms; ++j) {
        plain += result.p[j] * gain(s[j][i], 1) * s[j][i];
        around_half += result.p[j] * gain(s[j][i], 0.25L) * s[j][i];
      }
      if (is("spa") && around_half >= (1 + std::sqrt(2.0L)) * result.rate) {
        result.estimates[i] =
            0.5L + gain(s[played][i], 0.25L) * (c[i] - s[played][i] / 2) / around_half;
        moment += p / around_half;
        continue;
      }
      const Real divisor = std::max(plain, is("spa") ? result.rate : result.rate / 2);
      result.estimates[i] = gain(s[played][i], 1) * c[i] / divisor;
      moment += p * (plain / divisor / divisor + (is("spa") ? 0.25L : 0));
      bias += p * (1 - plain / divisor);
    }
  }

  LearnerSpec spec_;
  Real n_;
  Real order_ = 1;
  Real share_ = 0;
  std::optional<Real> fixed_rate_;
  Real inverse_rate_ = 0;
  Reals sums_;
  Reals weights_;
  Real q_sum_ = 0;
  Real entropies_ = 0;
  Real bound_ = 0;
  Real last_inverse_ = 0;
  std::uint64_t rounds_ = 0;
};

std::vector<LearnerSpec> literature_learners() {
  return {{.name = "tsallis-inf", .tuning = Tuning::iw},
          {.name = "tsallis-inf"},
          {.name = "exp3-set"},
          {.name = "q-ftrl", .alpha = 1, .horizon = 100},
          {.name = "q-ftrl", .alpha = 2.5, .horizon = 1000},
          {.name = "exp3.g", .alpha = 1, .horizon = 3},
          {.name = "exp3.g", .alpha = 2, .horizon = 1000},
          {.name = "exp3.s", .horizon = 100},
          {.name = "exp3.s", .switches = 3, .horizon = 100'000},
          {.name = "ito"},
          {.name = "spa"}};
}

TEST(LearnersOfTheLiterature, AgreeWithPlainFormulas) {
  RandomSource dice(1);
  std::vector<LearnerSpec> specs = literature_learners();
  // At these rates coverages are clipped.
  specs.push_back({.name = "ito", .rate = 2});
  specs.push_back({.name = "spa", .rate = 1});
  for (LearnerSpec spec : specs) {
    for (const std::size_t n : {1U, 2U, 3U, 7U}) {
      for (const double r : {0.0, 1.0}) {
        spec.arms = n;
        spec.noise_bound = r;
        expect_agreement<Plain>(spec, dice);
      }
    }
  }
}

// --- Bias and second moment, by enumeration ------------------------------------------------------

double order_of(const LearnerSpec& spec) {
  if (spec.name == "q-ftrl") {
    const double x = std::log(static_cast<double>(spec.arms) / *spec.alpha);
    return (1 + x / (std::sqrt(x * x + 4) + 2)) / 2;
  }
  return spec.name == "tsallis-inf" ? 0.5 : 1;
}

// Checks the proof of the bound step by step, for the mean over the draw and noise of -R or R, in
// one round at a fixed rate: no loss is overestimated, unbiased learners estimate losses exactly,
// and the loss of the draw exceeds the growth of the potential by at most what the bound charges.
TEST(LearnersOfTheLiterature, CostAtMostWhatTheirBoundChargesInEveryRoundOnAverage) {
  constexpr std::size_t kArms = 3;
  RandomSource dice(2);
  for (LearnerSpec spec : literature_learners()) {
    spec.arms = kArms;
    const bool noisy = spec.name == "ito" || spec.name == "spa";
    const bool has_bound = spec.name != "exp3.g" && spec.name != "exp3.s";
    double largest = 0;
    for (int instance = 0; instance < 60; ++instance) {
      if (!spec.alpha && !spec.horizon) {
        spec.rate = std::pow(10, -2 * dice.uniform());
      }
      spec.noise_bound = noisy ? 2.0 * static_cast<double>(dice.below(3)) / 2 : 1;
      const auto before = make_learner(spec);
      std::vector<double> sums(kArms);
      for (int t = 0; t < 4; ++t) {
        const Decision decision = before->choose(Stream(dice.below(1000), Purpose::draw));
        const std::vector<Observation> seen = {{decision.arm, dice.uniform()}};
        before->observe(decision, Graph::sparse(kArms, {}), {decision.arm, seen});
        for (std::size_t i = 0; i < kArms; ++i) {
          sums[i] += last_round_of(*before)->estimates[i];
        }
      }
      const Graph graph = random_graph(dice, kArms);
      std::vector<double> losses(kArms);
      for (double& loss : losses) {
        loss = dice.chance(0.6) ? static_cast<double>(dice.below(2)) : dice.uniform();
      }
      const auto drawn_from = probabilities_of(*before);
      const std::vector<double> p(drawn_from.begin(), drawn_from.end());
      std::vector<double> mean(kArms);
      double paid = std::inner_product(p.begin(), p.end(), losses.begin(), 0.0);
      double charged = 0;
      const auto add = [&](const Learner& learner, double probability) {
        const RoundDetails round = last_round_of(learner).value();
        std::vector<double> after = sums;
        for (std::size_t i = 0; i < kArms; ++i) {
          after[i] += round.estimates[i];
          mean[i] += probability * round.estimates[i];
        }
        if (has_bound) {
          const double order = order_of(spec);
          paid -= probability *
                  (potential(order, after, round.rate) - potential(order, sums, round.rate));
          charged += probability * (*certificate_of(learner)->regret_bound -
                                    *certificate_of(*before)->regret_bound);
        }
      };
      for_each_outcome(before->save(), graph, losses, spec.noise_bound, add);
      for (std::size_t i = 0; i < kArms; ++i) {
        if (noisy) {
          ASSERT_LE(mean[i], losses[i] + 1e-9) << described(spec);
          ASSERT_GE(mean[i], -1e-9) << described(spec);
        } else {
          ASSERT_NEAR(mean[i], losses[i], 1e-9) << described(spec);
        }
      }
      if (has_bound) {
        ASSERT_LE(paid, charged * (1 + 1e-9) + 1e-10) << described(spec);
        largest = std::max(largest, paid / charged);
      }
    }
    if (has_bound) {
      EXPECT_GT(largest, 0.25) << described(spec) << ": the instances are far from the bound";
    }
  }
}

// --- Late feedback, single arms ------------------------------------------------------------------

TEST(LearnersOfTheLiterature, AcceptLateFeedbackAndReportIfItEndsTheBound) {
  RandomSource dice(3);
  const Graph graph = random_graph(dice, 4);
  const Rows s = rows_of(graph);
  for (LearnerSpec spec : literature_learners()) {
    spec.arms = 4;
    if (!spec.horizon) {
      spec.rate = 0.1;
    }
    spec.bounds = Bounds::all;
    const auto forward = make_learner(spec);
    const auto backward = make_learner(spec);
    std::vector<Decision> decisions;
    for (Arm arm = 0; arm < 4; ++arm) {
      decisions.push_back(forward->adopt(arm));
      EXPECT_EQ(backward->adopt(arm), decisions.back());
    }
    for (std::size_t k = 0; k < 4; ++k) {
      for (const auto& [learner, decision] :
           {std::pair(forward.get(), decisions[k]), std::pair(backward.get(), decisions[3 - k])}) {
        learner->observe(decision, graph,
                         {decision.arm, seen_of({0.1, 0.2, 0.3, 0.4}, s[decision.arm])});
      }
    }
    // The amount that exp3.s adds to the weights depends on the order.
    for (std::size_t i = 0; i < 4 && spec.name != "exp3.s"; ++i) {
      EXPECT_NEAR(probabilities_of(*forward)[i], probabilities_of(*backward)[i], 1e-14)
          << described(spec);
    }
    const Certificate certificate = certificate_of(*forward).value();
    // Theorem 8 of docs/learners.md is about exponential weights without mixing.
    const bool bound_continues =
        spec.name == "exp3-set" || spec.name == "ito" || spec.name == "spa";
    EXPECT_EQ(certificate.regret_bound.has_value(), bound_continues) << described(spec);
    if (certificate.bounds.size() > 1) {
      EXPECT_EQ(certificate.bounds.front().failed_in_round, bound_continues ? 0U : 2U)
          << described(spec);
    }
    EXPECT_EQ(certificate.bounds.back().name, "estimated");
    EXPECT_TRUE(certificate.bounds.back().value) << "this bound needs no order of the feedback";
    EXPECT_EQ(restore_learner(forward->save())->save(), forward->save());
    EXPECT_EQ(certificate_of(*restore_learner(forward->save()))->bounds, certificate.bounds);
  }
}

// 1 / rate grows with each round of feedback, even if the feedback is late.
TEST(LearnersOfTheLiterature, WithGrowingInverseRatesNeverRaiseTheRate) {
  const Graph graph = make_complete({.arms = 3});
  const std::vector<Observation> seen = {{0, 1.0}, {1, 0.5}, {2, 0.0}};
  for (const char* name : {"ito", "spa"}) {
    const auto learner = make_learner({.name = name, .arms = 3});
    const Decision first = learner->adopt(0);
    double last_inverse = 0;
    for (int t = 0; t < 50; ++t) {
      learner->observe(learner->adopt(1), graph, {1, seen});
      const double inverse = 1 / last_round_of(*learner)->rate;
      EXPECT_GT(inverse, last_inverse) << name;
      last_inverse = inverse;
    }
    learner->observe(first, graph, {0, seen});
    learner->observe(learner->adopt(1), graph, {1, seen});
    EXPECT_GT(1 / last_round_of(*learner)->rate, last_inverse) << name;
  }
}

TEST(LearnersOfTheLiterature, HaveABoundOfZeroForASingleArm) {
  for (LearnerSpec spec : literature_learners()) {
    spec.arms = 1;
    const auto learner = make_learner(spec);
    const std::vector<Observation> seen = {{0, 0.75}};
    for (int t = 0; t < 3; ++t) {
      learner->observe(learner->choose(Stream(1, Purpose::draw)), Graph::sparse(1, {}), {0, seen});
    }
    EXPECT_EQ(probabilities_of(*learner)[0], 1) << described(spec);
    EXPECT_NEAR(certificate_of(*learner)->regret_bound.value_or(0), 0, 1e-15) << described(spec);
  }
}

}  // namespace
}  // namespace hearsay
