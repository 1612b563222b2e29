#include "hearsay/learner/high_probability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/regularizer.h"

namespace hearsay {
namespace {

// The deviation is bounded with lambda = 1, 1/2, 1/4, ... (docs/learners.md, Theorem 5); the least
// of these bounds is used.
constexpr int kLambdas = 40;

double gain(const Weighting& weighting, double weight, bool own) {
  if (own) {
    return weighting.self_gain(weight);
  }
  double gain = 0;
  weighting.gains(std::span(&weight, 1), std::span(&gain, 1));
  return gain;
}

}  // namespace

HighProbabilityBound::HighProbabilityBound(std::size_t arms, double noise_bound, double confidence)
    : noise_bound_(noise_bound),
      risk_(1 - confidence),
      plain_(weightings::inverse_variance(noise_bound)),
      centred_(weightings::centred_inverse_variance(noise_bound)),
      arms_(arms),
      plain_coverage_(arms),
      centred_coverage_(arms),
      estimates_(arms) {
  if (!(confidence > 0 && confidence < 1)) {
    throw Error("confidence", fmt::format("is {}, expected a number in (0, 1)", confidence));
  }
}

void HighProbabilityBound::add(std::span<const double> probabilities, const Graph& graph,
                               const Feedback& feedback) {
  const Coverages& coverages = coverages_.get(graph, [&] {
    return Coverages{Coverage(*plain_, graph), Coverage(*centred_, graph)};
  });
  coverages.plain.of(probabilities, plain_coverage_);
  coverages.centred.of(probabilities, centred_coverage_);
  ++rounds_;
  const double floor =
      1 / std::sqrt(static_cast<double>(arms_.size()) * static_cast<double>(rounds_));
  const auto is_centred = [&](std::size_t i) {
    return centred_coverage_[i] >= 2 * kLargestCentred * floor;
  };

  for (std::size_t i = 0; i < arms_.size(); ++i) {
    estimates_[i] = is_centred(i) ? 0.5 : 0;
  }
  for (const auto& [arm, value] : feedback.observations) {
    const double weight = graph.weight(feedback.played, arm);
    const bool own = arm == feedback.played;
    if (!ObservationRange(weight, noise_bound_).contains(value) && failed_in_round_ == 0) {
      failed_in_round_ = rounds_;
      failure_ = "an observation was out of range";
    }
    if (own && weight != 1 && failed_in_round_ == 0) {
      failed_in_round_ = rounds_;
      failure_ = "the self weight is less than 1";
    }
    if (own) {
      own_losses_.add(value);
    }
    estimates_[arm] +=
        is_centred(arm)
            ? gain(*centred_, weight, own) * (value - weight / 2) / centred_coverage_[arm]
            : gain(*plain_, weight, own) * value / std::max(plain_coverage_[arm], floor);
  }
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const double divisor =
        is_centred(i) ? centred_coverage_[i] : std::max(plain_coverage_[i], floor);
    const double unclipped = is_centred(i) ? 1 : plain_coverage_[i] / divisor;
    const double largest = is_centred(i) ? kLargestCentred : kLargestCentred / 2;
    arms_[i].estimates.add(estimates_[i]);
    arms_[i].second_moments.add(unclipped / divisor);
    arms_[i].largest = std::max(arms_[i].largest, largest / divisor);
  }
}

// How much the sum of the estimates of an arm may exceed the sum of its losses.
double HighProbabilityBound::deviation(const ArmSums& arm) const {
  double least = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kLambdas; ++k) {
    const double lambda = std::ldexp(1.0, -k);
    if (lambda * arm.largest <= 1) {
      const double tests = static_cast<double>(arms_.size()) * (k + 1) * (k + 2);
      least = std::min(least, kSecondMoment * lambda * arm.second_moments.value() +
                                  std::log(tests / risk_) / lambda);
    }
  }
  return least;
}

RegretBound HighProbabilityBound::bound() const {
  const std::string statement = fmt::format(
      "at least the regret of this run, in all rounds at once, with probability {}", 1 - risk_);
  const std::string conditions =
      fmt::format("the noise lies in [-{0}, {0}], the self weight is 1", noise_bound_);
  const TheoremText text{"high_probability", statement, conditions, kIfLate};
  RegretBound bound{.name = std::string(text.name),
                    .statement = statement,
                    .conditions = conditions_of(text),
                    .failed_in_round = failed_in_round_,
                    .failure = failure_};
  if (failed_in_round_ == 0) {
    double least = std::numeric_limits<double>::infinity();
    for (const ArmSums& arm : arms_) {
      least = std::min(least, arm.estimates.value() - deviation(arm));
    }
    const double value = rounds_ == 0 ? 0 : own_losses_.value() - least;
    if (std::isfinite(value)) {
      bound.value = value;
    }
  }
  return bound;
}

}  // namespace hearsay
