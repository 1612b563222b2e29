#pragma once

// A bound, with high probability, on the regret of the run itself and not on its mean
// (docs/learners.md, Theorem 5). It needs only the probabilities of the learner's draws, because it
// makes its own estimates. So the bound is weak for a learner that hardly plays an arm.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/certificate/certificate.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/graph/for_last_graph.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

class HighProbabilityBound {
 public:
  // The bound holds in all rounds at once with probability at least `confidence`. Throws Error if
  // that is not in (0, 1).
  HighProbabilityBound(std::size_t arms, double noise_bound, double confidence);

  // Adds a round whose arm was drawn from these probabilities. A learner must have accepted the
  // feedback. Rounds may come late and in any order; the bound then has a further condition.
  void add(std::span<const double> probabilities, const Graph& graph, const Feedback& feedback);

  // The bound has the name "high_probability".
  RegretBound bound() const;

 private:
  struct ArmSums {
    CompensatedSum estimates;
    CompensatedSum second_moments;
    double largest = 0;  // an upper bound on estimate - centre for this arm
  };

  struct Coverages {
    Coverage plain;
    Coverage centred;
  };

  double deviation(const ArmSums& arm) const;

  double noise_bound_;
  double risk_;  // 1 - confidence
  std::shared_ptr<const Weighting> plain_;
  std::shared_ptr<const Weighting> centred_;
  std::vector<ArmSums> arms_;
  CompensatedSum own_losses_;
  std::uint64_t rounds_ = 0;
  std::uint64_t failed_in_round_ = 0;
  std::string failure_;

  // What follows from the graph of the last round, and buffers.
  ForLastGraph<Coverages> coverages_;
  std::vector<double> plain_coverage_;
  std::vector<double> centred_coverage_;
  std::vector<double> estimates_;
};

}  // namespace hearsay
