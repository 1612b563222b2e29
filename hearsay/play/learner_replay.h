#pragma once

// A learner that is given logged rounds, and what is handed over after each: what the replays of
// all kinds of logs have in common.

#include <cstdint>
#include <memory>
#include <optional>

#include "hearsay/learner/high_probability.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/play/replay.h"

namespace hearsay {

class LearnerReplay {
 public:
  // All bounds are kept account of, whatever spec.bounds says. Throws Error as make_learner does,
  // and at "confidence".
  LearnerReplay(LearnerSpec spec, const ReplayOptions& options);

  Learner& learner() { return *learner_; }

  // Takes in the feedback of a decision that the learner has adopted.
  ReplayedRound observe(const Decision& decision, const Graph& graph, const Feedback& feedback);

  Certificate certificate() const;

 private:
  std::unique_ptr<Learner> learner_;
  std::optional<HighProbabilityBound> high_probability_;
  bool has_probabilities_ = false;  // the learner randomizes
  std::uint64_t rounds_ = 0;
};

}  // namespace hearsay
