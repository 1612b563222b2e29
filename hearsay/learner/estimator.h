#pragma once

// The part of a learner that makes estimates of all losses from what one round showed.

#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

// What a decision was drawn from.
struct DrawLaw {
  std::uint64_t told = 0;  // rounds of feedback that had been taken in
  double rate = 0;
  double exploration = 0;
  double noise_bound = 0;  // R, or what the learner has learned in its place
  double entropy = 0;      // of the probabilities, by the regularizer; 0 if the learner needs none
  std::vector<double> probabilities;

  // The arms that could be drawn, in increasing order; empty: all. The probabilities of the others
  // are 0.
  std::vector<Arm> available = {};
};

class Estimator {
 public:
  Estimator() = default;
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;
  virtual ~Estimator() = default;

  // Writes an estimate for each arm, observed or not: 0 if it forms none, and never -0. The round
  // may still be refused afterwards, so nothing that later estimates depend on may change.
  virtual EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                 std::span<double> estimates) = 0;

  // Writes what EstimateTerms::second_moment of the last estimate() is made of: for each arm the
  // factor of its probability. False if they are not known, or depend on the probabilities
  // themselves; bounds then end when feedback comes late.
  virtual bool second_moments(std::span<double> /*moments*/) const { return false; }
};

// The coverage of every arm, kept for as long as the graph stays.
struct KnownCoverage {
  Graph graph;
  Coverage coverage;
};

// estimate of arm i = gain(weight(played, i)) * observation / (coverage of i + exploration)
class WeightedEstimator final : public Estimator {
 public:
  explicit WeightedEstimator(std::shared_ptr<const Weighting> weighting);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;
  bool second_moments(std::span<double> moments) const override;

 private:
  std::shared_ptr<const Weighting> weighting_;
  std::optional<KnownCoverage> known_;  // of the graph of the last round

  // Kept from round to round, so that a round allocates nothing.
  std::vector<double> per_coverage_;  // 1 / (coverage + exploration)
  double exploration_ = 0;
  std::vector<double> gains_;
};

// How small the divisor of an estimate may become: for an arm of probability p,
//
//   floor = per_rate * rate * p^(1 - order),
//
// where `order` is that of the learner's entropy (1: Shannon), so that the estimate times the rate
// stays in the range that the entropy needs (docs/learners.md, Theorems 2 and 4).
// A round costs p^(2 - order) * the second moment of the arm's estimate: p * p^(1 - order).
struct Floor {
  double per_rate = 0;
  double order = 1;

  // p^(1 - order), by a square root at order 1/2.
  double power(double probability) const;
};

// estimate of arm i = gain(weight(played, i)) * observation / max(coverage of i, floor)
//
// Unlike implicit exploration it leaves the estimate of an arm unbiased where it is covered well.
class ClippedEstimator final : public Estimator {
 public:
  ClippedEstimator(std::shared_ptr<const Weighting> weighting, const Floor& floor);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;
  bool second_moments(std::span<double> moments) const override;

 private:
  std::shared_ptr<const Weighting> weighting_;
  Floor floor_;
  std::optional<KnownCoverage> known_;
  std::vector<double> per_divisor_;
  std::vector<double> moments_;
  std::vector<double> gains_;
};

// |gain * (observation - weight / 2)| is at most this, for centred inverse variances.
inline constexpr double kLargestCentred = 1 + std::numbers::sqrt2;

// Estimates around 1/2 where that is safe: an arm whose coverage by centred inverse variances is at
// least (1 + sqrt 2) * floor is estimated by
//
//   1/2 + gain * (observation - weight / 2) / coverage
//
// (by 1/2 if it was not observed), and any other as ClippedEstimator with plain inverse variances
// does. Weights follow DrawLaw::noise_bound.
class CentredEstimator final : public Estimator {
 public:
  explicit CentredEstimator(const Floor& floor);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;
  bool second_moments(std::span<double> moments) const override;

 private:
  // Of one way to weigh, at the noise bound of the last round.
  struct Weighed {
    std::shared_ptr<const Weighting> weighting = nullptr;
    std::optional<KnownCoverage> known = std::nullopt;
    std::vector<double> coverage = {};
    std::vector<double> gains = {};  // of the observations of the round
  };

  static void weigh(const DrawLaw& law, const CheckedFeedback& feedback, Weighed& weighed);

  Floor floor_;
  std::optional<double> noise_bound_;  // that the two follow; none: not made yet
  Weighed plain_;
  Weighed centred_;
  std::vector<double> per_divisor_;
  std::vector<double> moments_;
  std::vector<double> centre_;  // of each arm's estimate: 1/2, or 0
};

// A number in [0, 1] around which the loss of an arm is estimated: `value` for an arm of
// probability at least least_per_squared_rate * rate^2, and 0 for any other.
struct Baseline {
  double value = 0;
  double least_per_squared_rate = 0;

  double at(double rate, double probability) const {
    return probability >= least_per_squared_rate * rate * rate ? value : 0;
  }
};

// From the own loss alone: the estimate of arm i is its baseline, plus
// (loss - baseline) / probability of i if it was played. Unbiased at any baseline. `order`: of the
// learner's entropy, as in Floor.
class BaselineEstimator final : public Estimator {
 public:
  BaselineEstimator(const Baseline& baseline, double order);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;

  // The same by what it takes of them.
  EstimateTerms estimate(double rate, std::span<const double> probabilities, Arm played,
                         double loss, std::span<double> estimates) const;

 private:
  Baseline baseline_;
  Floor floor_;
};

}  // namespace hearsay
