#pragma once

// A learner that is given logged rounds one by one, and what it computes in each. The replays of
// all kinds of logs use it.

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
  // All bounds are computed, whatever spec.bounds says. Throws Error as make_learner does, and at
  // "confidence" if it is out of range.
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
