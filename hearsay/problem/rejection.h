#pragma once

// Plays another learner on a log by rejection sampling: some of the logged rounds are accepted, in
// such a way that the arms of the accepted rounds are distributed as the learner's own draws. The
// learner sees only the accepted rounds (docs/evaluate.md).
// The learner's mean loss over the accepted rounds is that of a run of the same number of rounds if
// the rounds of the log are exchangeable: losses, graphs and noise that do not depend on time or on
// what was played. For any other log it is an approximation.

#include <cstdint>
#include <memory>

#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/problem/empirical_bernstein.h"
#include "hearsay/problem/log.h"

namespace hearsay {

struct RejectionResult {
  std::uint64_t rounds = 0;      // of the log
  std::uint64_t accepted = 0;    // of these
  std::uint64_t impossible = 0;  // rounds in which the learner may play an arm that the log cannot
  double loss = 0;               // the learner's mean over the accepted rounds
                    // Hoeffding's interval for the mean of the learner's expected losses in the
                    // accepted rounds, as
  // if their number had been chosen beforehand.
  Interval interval = {};
};

class RejectionPlay {
 public:
  // Throws Error if there is no such learner, its parameters are wrong, or it must be shown every
  // true loss.
  RejectionPlay(const LearnerSpec& spec, std::uint64_t seed);

  // Throws Error if the round has no probabilities, in which case nothing has changed, or if the
  // learner refuses it; the object must then be discarded.
  void add(const LoggedRound& round);

  RejectionResult result(double confidence) const;

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
