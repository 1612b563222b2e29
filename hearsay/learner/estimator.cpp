#include "hearsay/learner/estimator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/power.h"
#include "hearsay/simd/reciprocal.h"

namespace hearsay {

namespace {

const Coverage& coverage_of(const Weighting& weighting, const Graph& graph,
                            ForLastGraph<Coverage>& known) {
  return known.get(graph, [&] { return Coverage(weighting, graph); });
}

// The gain of each observation.
void gains_of(const Weighting& weighting, const CheckedFeedback& feedback,
              std::vector<double>& gains) {
  gains.resize(feedback.weights.size());
  weighting.gains(feedback.weights, gains);
  gains[feedback.own] = weighting.self_gain(feedback.graph.self_weight());
}

}  // namespace

std::string estimate_too_large_message(Arm played, double probability) {
  return fmt::format(
      "an estimate is too large to be added up, expected smaller observations or more "
      "exploration: arm {} was played at probability {}",
      played, probability);
}

WeightedEstimator::WeightedEstimator(std::shared_ptr<const Weighting> weighting)
    : weighting_(std::move(weighting)) {}

EstimateTerms WeightedEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                          std::span<double> estimates) {
  exploration_ = law.exploration;
  coverage_.resize(estimates.size());
  per_coverage_.resize(estimates.size());
  coverage_of(*weighting_, feedback.graph, known_).of(law.probabilities, coverage_);
  reciprocals(coverage_, law.exploration, kSmallestCoverage, per_coverage_);
  double q = 0;
  double second_moment = 0;
  for (std::size_t i = 0; i < per_coverage_.size(); ++i) {
    const double of_q = law.probabilities[i] * per_coverage_[i];
    q += of_q;
    second_moment += of_q * (coverage_[i] * per_coverage_[i]);
  }

  gains_of(*weighting_, feedback, gains_);
  std::ranges::fill(estimates, 0.0);
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    estimates[arm] = gains_[k] * value * per_coverage_[arm] + 0.0;  // + 0: never -0
  }
  return {.q = q, .bias = law.exploration * q, .second_moment = second_moment};
}

// coverage / (coverage + exploration)^2, as coverage / (coverage + exploration) is
// 1 - exploration / (coverage + exploration).
bool WeightedEstimator::second_moments(std::span<double> moments) const {
  std::ranges::transform(per_coverage_, moments.begin(), [&](double inverse) {
    return inverse * std::max(0.0, 1 - exploration_ * inverse);
  });
  return true;
}

double Floor::power(double probability) const {
  if (order == 1) {
    return 1;
  }
  return hearsay::power(probability, 1 - order);
}

ClippedEstimator::ClippedEstimator(std::shared_ptr<const Weighting> weighting, const Floor& floor)
    : weighting_(std::move(weighting)), floor_(floor) {}

EstimateTerms ClippedEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                         std::span<double> estimates) {
  per_divisor_.resize(estimates.size());
  moments_.resize(estimates.size());
  coverage_of(*weighting_, feedback.graph, known_).of(law.probabilities, per_divisor_);
  EstimateTerms terms;
  for (std::size_t i = 0; i < per_divisor_.size(); ++i) {
    const double p = law.probabilities[i];
    const double power = floor_.power(p);
    const double coverage = per_divisor_[i];
    const double divisor =
        std::max({coverage, floor_.per_rate * law.rate * power, kSmallestCoverage});
    per_divisor_[i] = 1 / divisor;
    // Dividing twice avoids the square of a small divisor, which could underflow.
    const double unclipped = coverage / divisor;
    moments_[i] = per_divisor_[i] * unclipped;
    terms.second_moment += p * power / divisor * unclipped;
    terms.bias += p * (1 - unclipped);
  }
  terms.q = terms.second_moment;

  gains_of(*weighting_, feedback, gains_);
  std::ranges::fill(estimates, 0.0);
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    estimates[arm] = gains_[k] * value * per_divisor_[arm] + 0.0;  // + 0: never -0
  }
  return terms;
}

// Returns false for an order below 1, because the factors then depend on the probabilities.
bool ClippedEstimator::second_moments(std::span<double> moments) const {
  std::ranges::copy(moments_, moments.begin());
  return floor_.order == 1;
}

bool CentredEstimator::second_moments(std::span<double> moments) const {
  std::ranges::copy(moments_, moments.begin());
  return floor_.order == 1;
}

CentredEstimator::CentredEstimator(const Floor& floor) : floor_(floor) {}

void CentredEstimator::weigh(const DrawLaw& law, const CheckedFeedback& feedback,
                             Weighed& weighed) {
  weighed.coverage.resize(law.probabilities.size());
  coverage_of(*weighed.weighting, feedback.graph, weighed.known)
      .of(law.probabilities, weighed.coverage);
  gains_of(*weighed.weighting, feedback, weighed.gains);
}

EstimateTerms CentredEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                         std::span<double> estimates) {
  if (noise_bound_ != law.noise_bound) {
    noise_bound_ = law.noise_bound;
    plain_ = {.weighting = weightings::inverse_variance(law.noise_bound)};
    centred_ = {.weighting = weightings::centred_inverse_variance(law.noise_bound)};
  }
  weigh(law, feedback, centred_);
  bool weighed_plain = false;  // only needed if some arm is not safe, which is rare
  per_divisor_.resize(estimates.size());
  moments_.resize(estimates.size());
  centre_.resize(estimates.size());
  EstimateTerms terms;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const double p = law.probabilities[i];
    const double power = floor_.power(p);
    const double floor = floor_.per_rate * law.rate * power;
    const double factor = p * power;
    if (centred_.coverage[i] >= kLargestCentred * floor && centred_.coverage[i] > 0) {
      centre_[i] = 0.5;
      per_divisor_[i] = 1 / std::max(centred_.coverage[i], kSmallestCoverage);
      moments_[i] = per_divisor_[i];
      terms.second_moment += factor * per_divisor_[i];
    } else {
      if (!std::exchange(weighed_plain, true)) {
        weigh(law, feedback, plain_);
      }
      const double divisor = std::max({plain_.coverage[i], floor, kSmallestCoverage});
      const double unclipped = plain_.coverage[i] / divisor;
      centre_[i] = 0;
      per_divisor_[i] = 1 / divisor;
      moments_[i] = per_divisor_[i] * unclipped + 0.25;
      terms.second_moment += factor / divisor * unclipped + factor / 4;
      terms.bias += p * (1 - unclipped);
    }
  }
  terms.q = terms.second_moment;

  std::ranges::copy(centre_, estimates.begin());
  for (std::size_t k = 0; k < feedback.observations.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    const double gain = centre_[arm] > 0 ? centred_.gains[k] : plain_.gains[k];
    estimates[arm] += gain * (value - centre_[arm] * feedback.weights[k]) * per_divisor_[arm];
  }
  return terms;
}

BaselineEstimator::BaselineEstimator(const Baseline& baseline, double order)
    : baseline_(baseline), floor_{.per_rate = 0, .order = order} {}

EstimateTerms BaselineEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                          std::span<double> estimates) {
  return estimate(law.rate, law.probabilities, feedback.played, own_observation(feedback),
                  estimates);
}

EstimateTerms BaselineEstimator::estimate(double rate, std::span<const double> probabilities,
                                          Arm played, double loss,
                                          std::span<double> estimates) const {
  std::ranges::transform(probabilities, estimates.begin(),
                         [&](double p) { return baseline_.at(rate, p); });
  // Second moments are taken around the largest baseline of all arms.
  const double centre = *std::ranges::max_element(estimates);
  EstimateTerms terms;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const double p = probabilities[i];
    const double divisor = std::max(p, kSmallestCoverage);
    const double factor = p * floor_.power(p);
    if (estimates[i] == centre) {
      const double furthest = std::max(centre, 1 - centre);
      terms.second_moment += factor / divisor * furthest * furthest;
    } else {
      // loss^2 / p - 2 centre loss + centre^2 is convex in the loss, so it is largest at 1 or at 0.
      const double of_one = factor / divisor + factor * (centre * centre - 2 * centre);
      terms.second_moment += std::max(of_one, factor * centre * centre);
    }
  }
  terms.q = terms.second_moment;
  double& own = estimates[played];
  own += (loss - own) / std::max(probabilities[played], kSmallestCoverage);
  own += 0.0;  // never -0
  return terms;
}

}  // namespace hearsay
