#include "hearsay/learner/estimator.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace hearsay {

namespace {

const Coverage& coverage_of(const Weighting& weighting, const Graph& graph,
                            std::optional<KnownCoverage>& known) {
  if (!known || !known->graph.same_as(graph)) {
    known.emplace(KnownCoverage{graph, Coverage(weighting, graph)});
  }
  return known->coverage;
}

// Of each observation.
void gains_of(const Weighting& weighting, const CheckedFeedback& feedback,
              std::vector<double>& gains) {
  gains.resize(feedback.weights.size());
  weighting.gains(feedback.weights, gains);
  const auto own =
      std::ranges::lower_bound(feedback.observations, feedback.played, {}, &Observation::arm);
  gains[static_cast<std::size_t>(own - feedback.observations.begin())] =
      weighting.self_gain(feedback.graph.self_weight());
}

// |gain * (observation - weight / 2)| is at most this, for centred inverse variances.
constexpr double kLargestCentred = 1 + std::numbers::sqrt2;

}  // namespace

WeightedEstimator::WeightedEstimator(std::shared_ptr<const Weighting> weighting)
    : weighting_(std::move(weighting)) {}

EstimateTerms WeightedEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                          std::span<double> estimates) {
  per_coverage_.resize(estimates.size());
  coverage_of(*weighting_, feedback.graph, known_).of(law.probabilities, per_coverage_);
  double q = 0;
  double second_moment = 0;
  for (std::size_t i = 0; i < per_coverage_.size(); ++i) {
    const double coverage = per_coverage_[i];
    per_coverage_[i] = 1 / std::max(coverage + law.exploration, kSmallestCoverage);
    const double of_q = law.probabilities[i] * per_coverage_[i];
    q += of_q;
    second_moment += of_q * (coverage * per_coverage_[i]);
  }

  gains_of(*weighting_, feedback, gains_);
  std::ranges::fill(estimates, 0.0);
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    estimates[arm] = gains_[k] * value * per_coverage_[arm] + 0.0;  // + 0: never -0
  }
  return {.q = q, .bias = law.exploration * q, .second_moment = second_moment};
}

double Floor::at(double rate, double probability) const {
  return order == 1 ? per_rate * rate : per_rate * rate * std::pow(probability, 1 - order);
}

double Floor::moment_factor(double probability) const {
  return order == 1 ? probability : std::pow(probability, 2 - order);
}

ClippedEstimator::ClippedEstimator(std::shared_ptr<const Weighting> weighting, const Floor& floor)
    : weighting_(std::move(weighting)), floor_(floor) {}

EstimateTerms ClippedEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                         std::span<double> estimates) {
  per_divisor_.resize(estimates.size());
  coverage_of(*weighting_, feedback.graph, known_).of(law.probabilities, per_divisor_);
  EstimateTerms terms;
  for (std::size_t i = 0; i < per_divisor_.size(); ++i) {
    const double p = law.probabilities[i];
    const double coverage = per_divisor_[i];
    const double divisor = std::max({coverage, floor_.at(law.rate, p), kSmallestCoverage});
    per_divisor_[i] = 1 / divisor;
    // In this order no square of a small divisor underflows.
    const double unclipped = coverage / divisor;
    terms.second_moment += floor_.moment_factor(p) / divisor * unclipped;
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

CentredEstimator::CentredEstimator(const Floor& floor) : floor_(floor) {}

void CentredEstimator::weigh(const DrawLaw& law, const CheckedFeedback& feedback) {
  if (noise_bound_ != law.noise_bound) {
    noise_bound_ = law.noise_bound;
    plain_ = {.weighting = weightings::inverse_variance(law.noise_bound)};
    centred_ = {.weighting = weightings::centred_inverse_variance(law.noise_bound)};
  }
  for (Weighed* weighed : {&plain_, &centred_}) {
    weighed->coverage.resize(law.probabilities.size());
    coverage_of(*weighed->weighting, feedback.graph, weighed->known)
        .of(law.probabilities, weighed->coverage);
    gains_of(*weighed->weighting, feedback, weighed->gains);
  }
}

EstimateTerms CentredEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                         std::span<double> estimates) {
  weigh(law, feedback);
  per_divisor_.resize(estimates.size());
  centre_.resize(estimates.size());
  EstimateTerms terms;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const double p = law.probabilities[i];
    const double floor = floor_.at(law.rate, p);
    const double factor = floor_.moment_factor(p);
    if (centred_.coverage[i] >= kLargestCentred * floor && centred_.coverage[i] > 0) {
      centre_[i] = 0.5;
      per_divisor_[i] = 1 / std::max(centred_.coverage[i], kSmallestCoverage);
      terms.second_moment += factor * per_divisor_[i];
    } else {
      const double divisor = std::max({plain_.coverage[i], floor, kSmallestCoverage});
      const double unclipped = plain_.coverage[i] / divisor;
      centre_[i] = 0;
      per_divisor_[i] = 1 / divisor;
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

}  // namespace hearsay
