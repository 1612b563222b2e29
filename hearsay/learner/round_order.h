#pragma once

// A bound on the regret of exponential weights whose feedback comes late, computed in the order of
// the decisions: feedback that overtakes that of an earlier decision waits for it here. So the
// bound holds also if losses, graphs and delays react to draws that were not reported yet
// (docs/learners.md, Theorem 8). Rounds that wait count 1 each. If no feedback is late, the bound
// is that of the learner's theorem, to the bit.

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

  // What a round of feedback showed, by the law of its draw.
  struct Waiting {
    std::shared_ptr<const DrawLaw> law;
    RegretRound round;  // late, rate, entropy and gap are set here
    std::vector<double> estimates = {};
    std::vector<double> second_moments = {};  // Estimator::second_moments(); empty: not known
  };

  // Takes in the feedback of this decision, and then all that waits for a decision before
  // `oldest_outstanding`.
  void add(std::uint64_t decision, Waiting waiting, std::uint64_t oldest_outstanding);

  // The same if a decision was forgotten.
  void advance(std::uint64_t oldest_outstanding);

  RegretBound bound() const;

  void save(StateWriter& writer) const;
  // Throws Error if the state is damaged; the object must then be discarded.
  void load(StateReader& reader);

 private:
  void take_in(Waiting& waiting);

  CompensatedSums sums_;  // of the estimates of the rounds taken in
  RegretAccount account_;
  std::map<std::uint64_t, Waiting> waiting_;  // by decision
  bool too_large_ = false;  // a sum could not be added up: there is no bound any more

  // Room to work in.
  std::vector<double> probabilities_;
  std::vector<double> scratch_;
};

// In saved state.
void write_law(StateWriter& writer, const DrawLaw& law);
// Throws Error if the state is damaged.
std::shared_ptr<DrawLaw> read_law(StateReader& reader, std::size_t arms);

// Sum over arms of max(drawn - now, 0).
double drift_between(std::span<const double> drawn, std::span<const double> now);

// Sum over arms of probabilities * moments.
double mean_moment(std::span<const double> probabilities, std::span<const double> moments);

}  // namespace hearsay
