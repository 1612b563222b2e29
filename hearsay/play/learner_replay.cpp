#include "hearsay/play/learner_replay.h"

#include <utility>

#include "hearsay/learner/catalogue.h"

namespace hearsay {

LearnerReplay::LearnerReplay(LearnerSpec spec, const ReplayOptions& options) {
  spec.bounds = Bounds::all;
  learner_ = make_learner(spec);
  if (options.confidence) {
    high_probability_.emplace(spec.arms, spec.noise_bound, *options.confidence);
  }
}

ReplayedRound LearnerReplay::observe(const Decision& decision, const Graph& graph,
                                     const Feedback& feedback) {
  learner_->observe(decision, graph, feedback);
  ++rounds_;
  const RoundDetails details = last_round_of(*learner_).value_or(RoundDetails{});
  if (high_probability_ && !details.probabilities.empty()) {
    high_probability_->add(details.probabilities, graph, feedback);
    has_probabilities_ = true;
  }
  const Certificate now = certificate();
  return {rounds_, details, now.regret_bound, now.bounds};
}

Certificate LearnerReplay::certificate() const {
  Certificate certificate = certificate_of(*learner_).value_or(Certificate{.rounds = rounds_});
  if (high_probability_ && has_probabilities_) {
    certificate.bounds.push_back(high_probability_->bound());
  }
  return certificate;
}

}  // namespace hearsay
