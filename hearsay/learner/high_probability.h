#pragma once

// A bound on the regret of the run itself, not of its mean, with high probability
// (docs/learners.md, Theorem 5). It needs nothing of the learner but the probabilities of its
// draws: it keeps estimates of its own, so a learner that hardly plays an arm is given a weak
// bound.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/certificate/certificate.h"
#include "hearsay/graph/feedback.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

class HighProbabilityBound {
 public:
  // The bound holds in all rounds at once with probability at least `confidence`, in (0, 1). Throws
  // Error if it is not in that range.
  HighProbabilityBound(std::size_t arms, double noise_bound, double confidence);

  // A round whose arm was drawn from these probabilities. The feedback must be one that a learner
  // took in. Rounds may come late and in any order; the bound has a further condition then.
  void add(std::span<const double> probabilities, const Graph& graph, const Feedback& feedback);

  // Named "high_probability".
  RegretBound bound() const;

 private:
  struct Arm {
    CompensatedSum estimates;
    CompensatedSum second_moments;
    double largest = 0;  // no estimate of the arm exceeds its centre by more
  };

  struct Seen {
    Graph graph;
    Coverage plain;
    Coverage centred;
  };

  double deviation(const Arm& arm) const;

  double noise_bound_;
  double risk_;  // 1 - confidence
  std::shared_ptr<const Weighting> plain_;
  std::shared_ptr<const Weighting> centred_;
  std::vector<Arm> arms_;
  CompensatedSum own_losses_;
  std::uint64_t rounds_ = 0;
  std::uint64_t failed_in_round_ = 0;
  std::string failure_;

  // The graph of the last round; room to work in.
  std::optional<Seen> seen_;
  std::vector<double> plain_coverage_;
  std::vector<double> centred_coverage_;
  std::vector<double> estimates_;
};

}  // namespace hearsay
