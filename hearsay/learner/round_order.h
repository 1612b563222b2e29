#pragma once

// A regret bound for exponential weights with late feedback that is computed in the order of the
// decisions: feedback that arrives before that of an earlier decision waits here. So the bound
// holds even if losses, graphs and delays depend on draws whose feedback is outstanding
// (docs/learners.md, Theorem 8). Each waiting round adds 1 to the bound. If no feedback is late,
// the bound equals that of the learner's theorem to the bit.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/state.h"
#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/estimator.h"

namespace hearsay {

class RoundOrder {
 public:
  RoundOrder(std::size_t arms, std::shared_ptr<const RegretTheorem> theorem);

  // The feedback of a decision, with the law of its draw.
  struct Waiting {
    std::shared_ptr<const DrawLaw> law;
    // rate, is_restricted, in_order, late, entropy, gap and least_sum are set when it is taken in.
    RegretRound round;
    std::vector<double> estimates = {};
    std::vector<double> second_moments = {};  // Estimator::second_moments(); empty if not known
  };

  // Adds the feedback of this decision, and then takes in all waiting feedback of decisions before
  // `oldest_outstanding`.
  void add(std::uint64_t decision, Waiting waiting, std::uint64_t oldest_outstanding);

  // To be called when a decision was forgotten or dropped.
  void advance(std::uint64_t oldest_outstanding);

  RegretBound bound() const;

  void save(StateWriter& writer) const;
  // Throws Error if the state is damaged; the object must then be discarded.
  void load(StateReader& reader);

 private:
  void take_in(Waiting& waiting);

  CompensatedSums sums_;  // sums of the estimates of the rounds taken in
  RegretAccount account_;
  std::map<std::uint64_t, Waiting> waiting_;  // by decision
  bool too_large_ = false;  // a sum became too large, so there is no bound any more

  // Buffers.
  std::vector<double> probabilities_;
  std::vector<double> scratch_;
};

// Sum over arms of max(drawn - now, 0).
double drift_between(std::span<const double> drawn, std::span<const double> now);

// Sum over arms of probabilities * moments.
double mean_moment(std::span<const double> probabilities, std::span<const double> moments);

}  // namespace hearsay
