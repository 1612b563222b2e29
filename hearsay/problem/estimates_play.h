#pragma once

// Plays another learner on a log in all of its rounds, on estimates of the losses: for each arm the
// mean of the estimates so far, corrected by what the round shows, which is an unbiased estimate of
// the arm's loss in the round.
// The learner draws arms by itself. What it observes is made from these estimates, clipped to
// [0, 1], with simulated noise, so it learns from other losses than those of the log, and the
// result is an approximation. It is an unbiased estimate of the mean loss that the learner's
// probabilities in these rounds lead to (docs/evaluate.md).

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/problem/evaluate.h"
#include "hearsay/problem/log_play.h"
#include "hearsay/problem/logged_rounds.h"

namespace hearsay {

class EstimatesPlay {
 public:
  // Throws as make_learner_for_log() does.
  EstimatesPlay(const LearnerSpec& spec, std::uint64_t seed);

  // `estimates` are those of the round, from the Evaluator to which it was just added. `noise` is
  // the noise that is simulated in the learner's observations. Throws Error if the round has no
  // probabilities, in which case nothing has changed, or if the learner refuses it; the object must
  // then be discarded.
  void add(const LoggedRound& round, const RoundEstimates& estimates, const Noise& noise);

  PlayResult result(double confidence) const;

 private:
  struct ArmSums {
    CompensatedSum values;
    CompensatedSum weights;
  };

  void estimate_losses(const RoundEstimates& estimates);

  std::unique_ptr<Learner> learner_;
  Stream draws_;
  Stream noise_;
  std::vector<ArmSums> sums_;  // over the rounds before
  std::uint64_t rounds_ = 0;
  std::uint64_t impossible_ = 0;
  CompensatedSum values_;  // of the estimated losses of the learner
  CompensatedSum squares_;

  // Kept from round to round, so that a round allocates nothing.
  std::vector<double> losses_;
  std::vector<double> probabilities_;
  std::vector<Observation> observations_;
};

}  // namespace hearsay
