#include "hearsay/learner/lockstep_estimator.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "hearsay/base/interruption.h"
#include "hearsay/learner/observations.h"

namespace hearsay {

LockstepEstimator::LockstepEstimator(const LearnerSpec& spec, const FtrlRule& rule,
                                     std::size_t runs, RangeCheck range_check)
    : arms_(spec.arms),
      noise_bound_(spec.noise_bound),
      floor_(rule.floor),
      weighting_(rule.weighting),
      runs_(runs),
      range_check_(range_check),
      batches_((runs + kLanes - 1) / kLanes),
      all_batches_(batches_.size()) {
  std::iota(all_batches_.begin(), all_batches_.end(), std::size_t{0});
  if (rule.baseline) {
    from_own_.emplace(*rule.baseline, rule.order);
  } else if (!weighting_) {
    weighting_ = weightings::inverse_variance(noise_bound_);
    centred_weighting_ = weightings::centred_inverse_variance(noise_bound_);
  }
  for (Batch& batch : batches_) {
    for (auto* array : {&batch.per_divisor, &batch.estimates}) {
      array->resize(arms_);
    }
    if (is_centred()) {
      for (auto* array : {&batch.centred, &batch.plain, &batch.centre}) {
        array->resize(arms_);
      }
    }
  }
}

LockstepEstimator::Weighed LockstepEstimator::weigh(const Graph& graph,
                                                    const Weighting& weighting) const {
  Weighed weighed{Coverage(weighting, graph), std::nullopt, {}};
  if (weighed.coverage.matrix() && weighed.coverage.matrix()->is_dense()) {
    weighed.panels.emplace(arms_, weighed.coverage.matrix()->values(), note_work);
  }
  if (graph.is_dense()) {
    weighed.gains = filled<double>(graph.weights().values().size());
    for (std::size_t i = 0; i < arms_; ++i) {
      const std::span<const double> weights = graph.weights().row(i);
      const std::span<double> gains = std::span(weighed.gains).subspan(i * arms_, arms_);
      weighting.gains(weights, gains);
      std::ranges::transform(weights, gains, gains.begin(),
                             [](double weight, double gain) { return weight > 0 ? gain : 0.0; });
      gains[i] = weighting.self_gain(graph.self_weight());
      note_work(arms_);
    }
  }
  return weighed;
}

LockstepEstimator::SeenGraph LockstepEstimator::look_at(const Graph& graph) const {
  SeenGraph seen;
  if (weighting_) {
    seen.plain = weigh(graph, *weighting_);
  }
  if (is_centred()) {
    seen.centred = weigh(graph, *centred_weighting_);
  }
  return seen;
}

void LockstepEstimator::see(const Graph& graph, std::span<const LaneDraws> draws) {
  check_arms(graph, arms_);
  seen_.get(graph, [&] { return look_at(graph); });
  for (Batch& batch : batches_) {
    batch.terms = {};
  }
  if (is_centred()) {
    cover_centred(draws);
  } else if (!from_own_) {
    cover(draws);
  }
}

// Computes the coverages of all arms for some batches. `columns_ready` is called with indices of
// `batches`.
void LockstepEstimator::multiply(const Weighed& weighed, std::span<const LaneDraws> draws,
                                 std::span<const std::size_t> batches, Coverages coverages,
                                 const ColumnsReady& columns_ready) {
  if (weighed.panels) {
    products_.clear();
    for (const std::size_t b : batches) {
      products_.push_back({draws[b].probabilities.data(), (batches_[b].*coverages).data()});
    }
    // All batches are multiplied together, so that each panel is read from memory once per round.
    weighed.panels->left_multiply(products_, batches_.size() == 1 ? runs_ : kLanes, columns_ready);
    return;
  }
  for (std::size_t k = 0; k < batches.size(); ++k) {
    const std::size_t b = batches[k];
    std::vector<Lanes>& out = batches_[b].*coverages;
    if (weighed.coverage.matrix()) {
      lockstep::multiply_sparse(*weighed.coverage.matrix(), draws[b].probabilities, out,
                                lanes_of(b));
    } else {
      for (Lanes& coverage : out) {
        coverage.values.fill(1.0);  // which is the sum of the probabilities
      }
    }
    columns_ready(k, 0, arms_);
  }
}

// Computes divisors and terms of all batches.
void LockstepEstimator::cover(std::span<const LaneDraws> draws) {
  multiply(*seen_.value().plain, draws, all_batches_, &Batch::per_divisor,
           [&](std::size_t b, std::size_t first, std::size_t count) {
             Batch& batch = batches_[b];
             const auto coverage = std::span(batch.per_divisor).subspan(first, count);
             const auto probabilities = std::span(draws[b].probabilities).subspan(first, count);
             if (floor_) {
               lockstep::clip_coverage(coverage, probabilities, *floor_, draws[b].rate, lanes_of(b),
                                       batch.terms);
             } else {
               lockstep::invert_coverage(coverage, probabilities, draws[b].exploration, lanes_of(b),
                                         batch.terms);
             }
           });
}

// Plain coverages are computed only for batches in which some arm is not safe; often there are
// none.
void LockstepEstimator::cover_centred(std::span<const LaneDraws> draws) {
  const auto centre = [&](std::size_t b, std::span<const Lanes> plain) {
    Batch& batch = batches_[b];
    return lockstep::centre_coverage({batch.centred, plain, batch.centre, batch.per_divisor},
                                     draws[b].probabilities, *floor_, draws[b].rate, lanes_of(b),
                                     batch.terms);
  };
  const auto ready = [](std::size_t /*batch*/, std::size_t /*first*/, std::size_t /*count*/) {};
  multiply(*seen_.value().centred, draws, all_batches_, &Batch::centred, ready);
  not_safe_.clear();
  for (const std::size_t b : all_batches_) {
    batches_[b].all_centred = centre(b, {});
    if (!batches_[b].all_centred) {
      not_safe_.push_back(b);
    }
  }
  if (not_safe_.empty()) {
    return;
  }
  multiply(*seen_.value().plain, draws, not_safe_, &Batch::plain, ready);
  for (const std::size_t b : not_safe_) {
    centre(b, batches_[b].plain);
  }
}

void LockstepEstimator::estimate(std::size_t index, const LaneDraws& draws,
                                 std::span<const Lanes> weights,
                                 std::span<const Lanes> observations) {
  assert(seen_.graph().is_dense() && weights.size() == arms_ && observations.size() == arms_);
  const std::size_t lanes = lanes_of(index);
  Batch& batch = batches_[index];
  if (range_check_ == RangeCheck::needed) {
    batch.out_of_range = lockstep::count_out_of_range(weights, observations, noise_bound_, lanes);
  }
  if (from_own_) {
    Lanes losses;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      losses[lane] = observations[draws.played[lane]][lane];
    }
    estimate_from_own(index, draws, losses);
  } else {
    lockstep::Weighted seen{.observations = observations, .weights = weights};
    if (!batch.all_centred) {
      lane_gains_.resize(arms_);
      copy_rows(seen_.value().plain->gains, draws.played, lane_gains_);
      seen.gains = lane_gains_;
    }
    if (is_centred()) {
      lane_centred_gains_.resize(arms_);
      copy_rows(seen_.value().centred->gains, draws.played, lane_centred_gains_);
      seen.centred_gains = lane_centred_gains_;
    }
    lockstep::estimate(seen, batch.centre, batch.per_divisor, batch.estimates, lanes);
  }
}

void LockstepEstimator::estimate(std::size_t index, const LaneDraws& draws,
                                 std::span<const std::vector<Observation>> observations) {
  Batch& batch = batches_[index];
  if (is_centred()) {
    batch.estimates = batch.centre;
  } else {
    std::ranges::fill(batch.estimates, Lanes());
  }
  batch.out_of_range = Lanes();
  Lanes losses;  // the losses of the arms played
  for (std::size_t lane = 0; lane < lanes_of(index); ++lane) {
    const Arm played = draws.played[lane];
    observed_weights_.clear();
    for (const Observation& seen : observations[lane]) {
      const double weight = seen_.graph().weight(played, seen.arm);
      observed_weights_.push_back(weight);
      if (!ObservationRange(weight, noise_bound_).contains(seen.value)) {
        batch.out_of_range[lane] += 1;
      }
      losses[lane] = seen.arm == played ? seen.value : losses[lane];
    }
    if (!from_own_) {
      estimate_lane(batch, draws, lane, observations[lane]);
    }
  }
  if (from_own_) {
    estimate_from_own(index, draws, losses);
  }
}

// Makes the estimates of one lane, for estimators with a weighting. observed_weights_ has the
// weights of the observations.
void LockstepEstimator::estimate_lane(Batch& batch, const LaneDraws& draws, std::size_t lane,
                                      std::span<const Observation> observations) {
  gains_.resize(observed_weights_.size());
  weighting_->gains(observed_weights_, gains_);
  if (is_centred()) {
    centred_gains_.resize(observed_weights_.size());
    centred_weighting_->gains(observed_weights_, centred_gains_);
  }
  for (std::size_t k = 0; k < gains_.size(); ++k) {
    const auto [arm, value] = observations[k];
    const bool centred = is_centred() && batch.centre[arm][lane] > 0;
    const Weighting& weighting = centred ? *centred_weighting_ : *weighting_;
    const double gain = arm == draws.played[lane] ? weighting.self_gain(seen_.graph().self_weight())
                        : centred                 ? centred_gains_[k]
                                                  : gains_[k];
    const double middle = centred ? batch.centre[arm][lane] : 0;
    batch.estimates[arm][lane] =
        middle + gain * (value - middle * observed_weights_[k]) * batch.per_divisor[arm][lane];
  }
}

// Calls BaselineEstimator for one lane at a time.
void LockstepEstimator::estimate_from_own(std::size_t index, const LaneDraws& draws,
                                          const Lanes& losses) {
  Batch& batch = batches_[index];
  probabilities_.resize(arms_);
  estimates_.resize(arms_);
  for (std::size_t lane = 0; lane < lanes_of(index); ++lane) {
    const auto of_lane = [lane](const Lanes& lanes) { return lanes[lane]; };
    std::ranges::transform(draws.probabilities, probabilities_.begin(), of_lane);
    const EstimateTerms terms = from_own_->estimate(draws.rate[lane], probabilities_,
                                                    draws.played[lane], losses[lane], estimates_);
    batch.terms.q[lane] = terms.q;
    batch.terms.bias[lane] = terms.bias;
    batch.terms.second_moment[lane] = terms.second_moment;
    for (std::size_t i = 0; i < arms_; ++i) {
      batch.estimates[i][lane] = estimates_[i];
    }
  }
}

}  // namespace hearsay
