#pragma once

// Learners that follow the regularized leader, assembled from parts. A round of feedback passes
// through
//
//   Estimator      the probabilities of the draw, the graph and the feedback -> estimates of the
//                  losses
//   RegretAccount  adds up what the round cost
//   Schedule       sets the next rate by that
//   Leader         estimates and rate -> probabilities
//   Mixing         mixes them with another distribution, if the learner has one
//
// Draws, late feedback, checks, certificates and saving are the same for all of them.

#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/leader.h"
#include "hearsay/learner/learned_noise.h"
#include "hearsay/learner/learner_base.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// What a mixing rule may use.
struct MixingInput {
  const RoundTotals& totals;
  double rate = 0;
  const Graph* graph = nullptr;  // of the coming round; null if the learner is not informed
};

// Writes the mixing distribution and returns its share of the next draw, in [0, 1]. If it is not a
// distribution, the learner throws Error and must be discarded.
using Mixing = std::function<double(const MixingInput& input, std::span<double> distribution)>;

// The same share of the uniform distribution in every draw.
Mixing uniform_mixing(double share);

struct FtrlParts {
  std::unique_ptr<Estimator> estimator;
  std::unique_ptr<Leader> leader;
  Schedule schedule;
  Mixing mixing = nullptr;                                   // may be empty
  std::optional<LearnedNoise> learned_noise = std::nullopt;  // if the noise is learned
  RegretTheorems theorems = {};  // without a designated one, the certificate has no regret_bound
};

// Throws Error if a part is missing or if a theorem or the schedule needs an entropy that the
// leader does not have. The caller must have checked `spec`, which becomes part of the saved state.
std::unique_ptr<RestorableLearner> make_ftrl(const LearnerSpec& spec, Information information,
                                             FtrlParts parts);

}  // namespace hearsay
