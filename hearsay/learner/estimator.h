#pragma once

// The part of a learner that makes estimates of all losses from what one round showed.

#include <cstdint>
#include <memory>
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
  std::vector<double> probabilities;
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
};

// estimate of arm i = gain(weight(played, i)) * observation / (coverage of i + exploration)
class WeightedEstimator final : public Estimator {
 public:
  explicit WeightedEstimator(std::shared_ptr<const Weighting> weighting);

  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override;

 private:
  struct KnownGraph {
    Graph graph;
    Coverage coverage;
  };

  const Coverage& coverage_of(const Graph& graph);

  std::shared_ptr<const Weighting> weighting_;
  std::optional<KnownGraph> known_;  // the graph of the last round, whose coverage is kept

  // Kept from round to round, so that a round allocates nothing.
  std::vector<double> per_coverage_;  // 1 / (coverage + exploration)
  std::vector<double> gains_;
};

}  // namespace hearsay
