#pragma once

// Plays another learner on a log by rejection sampling: some of the logged rounds are accepted, in
// such a way that the arms of the accepted rounds are distributed as the learner's own draws. The
// learner sees only the accepted rounds (docs/evaluate.md).
// The learner's mean loss over the accepted rounds is that of a run of the same number of rounds if
// the rounds of the log are exchangeable: losses, graphs and noise that do not depend on time or on
// what was played. For any other log it is an approximation.

#include <cstdint>
#include <memory>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/problem/log_play.h"
#include "hearsay/problem/logged_rounds.h"

namespace hearsay {

class RejectionPlay {
 public:
  // Throws as make_learner_for_log() does.
  RejectionPlay(const LearnerSpec& spec, std::uint64_t seed);

  // Throws Error if the round has no probabilities, in which case nothing has changed, or if the
  // learner refuses it; the object must then be discarded.
  void add(const LoggedRound& round);

  // The interval is Hoeffding's, for the mean of the learner's expected losses in the accepted
  // rounds, as if their number had been chosen beforehand.
  PlayResult result(double confidence) const;

 private:
  std::unique_ptr<Learner> learner_;
  Stream draws_;
  Stream acceptance_;
  std::uint64_t rounds_ = 0;
  std::uint64_t accepted_ = 0;
  std::uint64_t impossible_ = 0;
  CompensatedSum losses_;
};

}  // namespace hearsay
