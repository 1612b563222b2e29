#include "hearsay/certificate/regret_theorem.h"

#include <cmath>
#include <limits>

namespace hearsay {

double RegretTheorem::start(std::size_t /*arms*/, double /*last_rate*/) const {
  return 0;
}

std::optional<double> RegretTheorem::per_switch(const RoundTotals& /*totals*/) const {
  return std::nullopt;
}

namespace {

constexpr std::string_view kNotInOrder =
    "feedback came late: other feedback arrived between the draw and this feedback";
constexpr std::string_view kRateRose = "the rate rose";
constexpr std::string_view kRateTooLarge = "the rate is too large";
constexpr std::string_view kNoRate = "the rate is 0";
constexpr std::string_view kOutOfRange = "an observation was out of range";
constexpr std::string_view kTooLittleExploration = "the exploration is too small for the rate";
constexpr std::string_view kOwnLossNotExact = "the self weight is less than 1";

bool rate_rose(const RegretRound& round, const RoundTotals& before) {
  return before.rounds > 0 && round.rate > before.last_rate;
}

// Whether feedback came in order or the cost of its lateness is known.
bool is_covered(const RegretRound& round) {
  return round.in_order || round.late;
}

double drift_of(const RegretRound& round) {
  return round.late ? round.late->drift : 0;
}

double second_moment_of(const RegretRound& round) {
  return round.late ? round.late->second_moment : round.terms.second_moment;
}

// The condition that failed in this round, or empty.
std::string_view failure_in(const TheoremConstants& constants, const RegretRound& round,
                            const RoundTotals& before) {
  if (!is_covered(round)) {
    return kNotInOrder;
  }
  if (rate_rose(round, before)) {
    return kRateRose;
  }
  if (round.out_of_range > 0) {
    return kOutOfRange;
  }
  if (!(round.exploration >= constants.least_exploration_per_rate * round.rate)) {
    return kTooLittleExploration;
  }
  if (round.rate > constants.largest_rate) {
    return kRateTooLarge;
  }
  if (constants.needs_exact_own_loss && round.self_weight != 1) {
    return kOwnLossNotExact;
  }
  return {};
}

// `value`, unless a condition failed in this round.
RegretTerm value_if_all_hold(double value, const TheoremConstants& constants,
                             const RegretRound& round, const RoundTotals& before) {
  const std::string_view failure = failure_in(constants, round, before);
  return failure.empty() ? RegretTerm{value} : RegretTerm{.failure = failure};
}

// At rate 0 a penalty that is divided by the rate is infinite, and the bound ends.
constexpr double kInfinite = std::numeric_limits<double>::infinity();

// (1 / rate - 1 / rate before) * entropy, where 1 / rate is 0 before the first round. The entropy
// of a single arm is 0, whatever its rate.
double penalty(const RegretRound& round, const RoundTotals& before) {
  const double entropy = round.entropy.value();
  if (entropy == 0) {
    return 0;
  }
  if (round.rate == 0) {
    return kInfinite;
  }
  return (1 / round.rate - (before.last_rate > 0 ? 1 / before.last_rate : 0)) * entropy;
}

class Paper final : public RegretTheorem {
 public:
  explicit Paper(const TheoremConstants& constants) : constants_(constants) {}

  TheoremText text() const override {
    return {"paper", "the mean over runs is at least the expected regret against every arm",
            "the rate never rises, the exploration is large enough for it, observations are in "
            "range",
            kIfLate};
  }

  RegretTerm term(const RegretRound& round, const RoundTotals& before) const override {
    const double value =
        round.late ? round.terms.bias + round.late->drift +
                         constants_.second_moment * round.rate * round.late->second_moment
                   : (round.exploration + constants_.second_moment * round.rate) * round.terms.q;
    return value_if_all_hold(value, constants_, round, before);
  }

  RoundNeeds needs() const override { return {}; }

  double start(std::size_t arms, double last_rate) const override {
    if (arms == 1) {
      return 0;
    }
    return last_rate > 0 ? std::log(static_cast<double>(arms)) / last_rate : kInfinite;
  }

 private:
  TheoremConstants constants_;
};

class Entropic final : public RegretTheorem {
 public:
  explicit Entropic(const TheoremConstants& constants) : constants_(constants) {}

  TheoremText text() const override {
    return {"entropic", "the mean over runs is at least the expected regret against every arm",
            constants_.needs_exact_own_loss
                ? "the rate never rises, observations are in range, the self weight is 1"
                : "the rate never rises and is not too large, the exploration is large enough for "
                  "it, observations are in range",
            constants_.needs_feedback_in_order ? "the bound ends" : kIfLate};
  }

  RegretTerm term(const RegretRound& round, const RoundTotals& before) const override {
    return value_if_all_hold(penalty(round, before) + round.terms.bias +
                                 constants_.second_moment * round.rate * second_moment_of(round) +
                                 drift_of(round),
                             constants_, round, before);
  }

  RoundNeeds needs() const override { return {.entropy = true}; }

 private:
  TheoremConstants constants_;
};

class Realised final : public RegretTheorem {
 public:
  explicit Realised(CoveredSelfWeight self_weight)
      : needs_exact_own_loss_(self_weight == CoveredSelfWeight::one) {}

  TheoremText text() const override {
    return {"realised", "the mean over runs is at least the expected regret against every arm",
            needs_exact_own_loss_ ? "the rate never rises, the self weight is 1"
                                  : "the rate never rises",
            kIfLate};
  }

  RegretTerm term(const RegretRound& round, const RoundTotals& before) const override {
    if (!is_covered(round)) {
      return {.failure = kNotInOrder};
    }
    if (rate_rose(round, before)) {
      return {.failure = kRateRose};
    }
    if (round.rate == 0 && round.entropy.value() > 0) {
      return {.failure = kNoRate};
    }
    if (needs_exact_own_loss_ && round.self_weight != 1) {
      return {.failure = kOwnLossNotExact};
    }
    return {penalty(round, before) + round.terms.bias + round.gap.value() + drift_of(round)};
  }

  RoundNeeds needs() const override { return {.entropy = true, .gap = true}; }

 private:
  bool needs_exact_own_loss_;
};

class Tracking final : public RegretTheorem {
 public:
  Tracking(std::size_t arms, const TheoremConstants& constants)
      : arms_(static_cast<double>(arms)), constants_(constants) {}

  TheoremText text() const override {
    return {"tracking",
            "the mean over runs, with per_switch for each switch, is at least the expected regret "
            "against every sequence of arms",
            "the sequence is fixed in advance, the rate never rises and is not too large, "
            "observations are in range, feedback comes in order"};
  }

  RegretTerm term(const RegretRound& round, const RoundTotals& before) const override {
    if (!round.in_order) {
      return {.failure = kNotInOrder};
    }
    return value_if_all_hold(penalty(round, before) + round.terms.bias +
                                 constants_.second_moment * round.rate * round.terms.second_moment,
                             constants_, round, before);
  }

  RoundNeeds needs() const override { return {}; }

  std::optional<double> per_switch(const RoundTotals& totals) const override {
    if (arms_ == 1 || totals.rounds == 0) {
      return 0;
    }
    return std::log(arms_ * (static_cast<double>(totals.rounds) + 1)) / totals.last_rate;
  }

 private:
  // The share after round t - 1 is 1 / t.
  double penalty(const RegretRound& round, const RoundTotals& before) const {
    if (arms_ == 1) {
      return 0;
    }
    if (round.rate == 0 || (before.rounds > 0 && before.last_rate == 0)) {
      return kInfinite;
    }
    if (before.rounds == 0) {
      return std::log(arms_) / round.rate;
    }
    const double t = static_cast<double>(before.rounds) + 1;
    return std::log(arms_ * t) * (1 / round.rate - 1 / before.last_rate) -
           std::log1p(-1 / t) / before.last_rate;
  }

  double arms_;
  TheoremConstants constants_;
};

class Estimated final : public RegretTheorem {
 public:
  TheoremText text() const override {
    return {"estimated", "the mean over runs is at least the expected regret against every arm",
            "only those of the model"};
  }

  RegretTerm term(const RegretRound& round, const RoundTotals& before) const override {
    return {round.own_loss - (round.least_sum.value() - before.last_least_sum)};
  }

  RoundNeeds needs() const override { return {.least_sum = true}; }
};

}  // namespace

namespace theorems {

std::shared_ptr<const RegretTheorem> paper(const TheoremConstants& constants) {
  return std::make_shared<const Paper>(constants);
}

std::shared_ptr<const RegretTheorem> entropic(const TheoremConstants& constants) {
  return std::make_shared<const Entropic>(constants);
}

std::shared_ptr<const RegretTheorem> realised(CoveredSelfWeight self_weight) {
  return std::make_shared<const Realised>(self_weight);
}

std::shared_ptr<const RegretTheorem> tracking(std::size_t arms, const TheoremConstants& constants) {
  return std::make_shared<const Tracking>(arms, constants);
}

std::shared_ptr<const RegretTheorem> estimated() {
  return std::make_shared<const Estimated>();
}

}  // namespace theorems

}  // namespace hearsay
