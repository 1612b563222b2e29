#include "hearsay/learner/estimator.h"

#include <algorithm>
#include <utility>

namespace hearsay {

WeightedEstimator::WeightedEstimator(std::shared_ptr<const Weighting> weighting)
    : weighting_(std::move(weighting)) {}

const Coverage& WeightedEstimator::coverage_of(const Graph& graph) {
  if (!known_ || !known_->graph.same_as(graph)) {
    known_.emplace(KnownGraph{graph, Coverage(*weighting_, graph)});
  }
  return known_->coverage;
}

EstimateTerms WeightedEstimator::estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                          std::span<double> estimates) {
  per_coverage_.resize(estimates.size());
  coverage_of(feedback.graph).of(law.probabilities, per_coverage_);
  double q = 0;
  for (std::size_t i = 0; i < per_coverage_.size(); ++i) {
    per_coverage_[i] = 1 / std::max(per_coverage_[i] + law.exploration, kSmallestCoverage);
    q += law.probabilities[i] * per_coverage_[i];
  }

  gains_.resize(feedback.weights.size());
  weighting_->gains(feedback.weights, gains_);
  const auto own =
      std::ranges::lower_bound(feedback.observations, feedback.played, {}, &Observation::arm);
  gains_[static_cast<std::size_t>(own - feedback.observations.begin())] =
      weighting_->self_gain(feedback.graph.self_weight());
  std::ranges::fill(estimates, 0.0);
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = feedback.observations[k];
    estimates[arm] = gains_[k] * value * per_coverage_[arm] + 0.0;  // + 0: never -0
  }
  return {.q = q, .bias = law.exploration * q};
}

}  // namespace hearsay
