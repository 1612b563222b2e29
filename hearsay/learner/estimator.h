#pragma once

// The part of a learner that estimates all losses from the observations of one round.

#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/observations.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

// The distribution from which a decision was drawn, and the learner's parameters at that time.
struct DrawLaw {
  std::uint64_t rounds = 0;  // rounds of feedback taken in before the draw
  double rate = 0;
  double exploration = 0;
  double noise_bound = 0;  // R, or the noise level that the learner has learned
  double entropy = 0;      // the learner's entropy of the probabilities; 0 if it needs none
  std::vector<double> probabilities;

  // The arms that could be drawn, in increasing order, or empty if all could. The other arms have
  // probability 0.
  std::vector<Arm> available = {};
};

class Estimator {
 public:
  Estimator() = default;
  Estimator(const Estimator&) = delete;
  Estimator& operator=(const Estimator&) = delete;
  virtual ~Estimator() = default;

  // Writes an estimate for every arm, seen or not; an estimate of 0 is never -0. The round may
  // still be refused afterwards, so this must not change anything on which later estimates depend.
  virtual EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                                 std::span<double> estimates) = 0;

  // Writes, for each arm, the factor of its probability in EstimateTerms::second_moment of the last
  // estimate(). Returns false if the factors are not known or depend on the probabilities; late
  // feedback then ends the bounds.
  virtual bool second_moments(std::span<double> /*moments*/) const { return false; }
};

// Why a learner refuses a round whose estimates would bring a sum to kLargestSum or more. `played`
// and `probability`: of the decision.
std::string estimate_too_large_message(Arm played, double probability);

// estimate of arm i = gain(weight(played, i)) * observation / (coverage of i + exploration)
class WeightedEstimator final : public Estimator {
 public:
  explicit WeightedEstimator(std::shared_ptr<const Weighting> weighting);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;
  bool second_moments(std::span<double> moments) const override;

 private:
  std::shared_ptr<const Weighting> weighting_;
  ForLastGraph<Coverage> known_;

  // Buffers that are kept, so that a round allocates nothing.
  std::vector<double> coverage_;
  std::vector<double> per_coverage_;  // 1 / (coverage + exploration)
  double exploration_ = 0;
  std::vector<double> gains_;
};

// How small the divisor of an estimate may become: for an arm of probability p,
//
//   floor = per_rate * rate * p^(1 - order),
//
// where `order` is the order of the learner's entropy (1 for Shannon), so that the estimate times
// the rate stays in the range that the entropy needs (docs/learners.md, Theorems 2 and 4). The
// second moment of an estimate is charged with the factor p^(2 - order) = p * power(p).
struct Floor {
  double per_rate = 0;
  double order = 1;

  // p^(1 - order), computed by hearsay::power() (base/power.h).
  double power(double probability) const;
};

// estimate of arm i = gain(weight(played, i)) * observation / max(coverage of i, floor)
//
// Unlike with implicit exploration, the estimate of an arm is unbiased if its coverage is at least
// the floor.
class ClippedEstimator final : public Estimator {
 public:
  ClippedEstimator(std::shared_ptr<const Weighting> weighting, const Floor& floor);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;
  bool second_moments(std::span<double> moments) const override;

 private:
  std::shared_ptr<const Weighting> weighting_;
  Floor floor_;
  ForLastGraph<Coverage> known_;
  std::vector<double> per_divisor_;
  std::vector<double> moments_;
  std::vector<double> gains_;
};

// The largest |gain * (observation - weight / 2)| for centred inverse variances.
inline constexpr double kLargestCentred = 1 + std::numbers::sqrt2;

// Centres estimates at 1/2 where that is safe: an arm whose coverage with centred inverse variances
// is at least (1 + sqrt 2) * floor is estimated by
//
//   1/2 + gain * (observation - weight / 2) / coverage
//
// (by 1/2 if it was not observed), and any other arm as by ClippedEstimator with plain inverse
// variances. The variances are those at DrawLaw::noise_bound.
class CentredEstimator final : public Estimator {
 public:
  explicit CentredEstimator(const Floor& floor);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;
  bool second_moments(std::span<double> moments) const override;

 private:
  // What one weighting gives, at the noise bound of the last round.
  struct Weighed {
    std::shared_ptr<const Weighting> weighting = nullptr;
    ForLastGraph<Coverage> known = {};
    std::vector<double> coverage = {};
    std::vector<double> gains = {};  // of the observations of the round
  };

  static void weigh(const DrawLaw& law, const CheckedFeedback& feedback, Weighed& weighed);

  Floor floor_;
  std::optional<double> noise_bound_;  // of the two weightings, once they are made
  Weighed plain_;
  Weighed centred_;
  std::vector<double> per_divisor_;
  std::vector<double> moments_;
  std::vector<double> centre_;  // of each arm's estimate: 1/2 or 0
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

// Estimates from the loss of the arm played only: the estimate of arm i is its baseline, plus (loss
// - baseline) / probability of i if i was played. It is unbiased for any baseline. `order` is that
// of the learner's entropy, as in Floor.
class BaselineEstimator final : public Estimator {
 public:
  BaselineEstimator(const Baseline& baseline, double order);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;

  // The same with only the data that it uses.
  EstimateTerms estimate(double rate, std::span<const double> probabilities, Arm played,
                         double loss, std::span<double> estimates) const;

 private:
  Baseline baseline_;
  Floor floor_;
};

}  // namespace hearsay
