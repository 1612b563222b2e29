#pragma once

// Exp3-Res (Kocak, Neu, Valko, UAI 2016): exponential weights for random arcs, whose probability is
// not known. The learner never reads the graph. It uses only which arms were shown exactly, and
// estimates by resampling how often that happens.
//
// Its guarantee requires that every arm except the one played is shown independently with the same
// probability, as with the graph sequence `drawn` on a graph with equal weights.

#include <cstdint>
#include <memory>
#include <span>

#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner_base.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// The number of trials up to the first that shows `arm`, and at most arms - 1. A trial shows it if
// the arm is played, which happens with `probability`, or if another arm was shown in the round:
// trial k uses the k-th of the arms other than `arm` and `played`, in random order, if there are
// that many. shown[i] is not 0 if arm i was shown exactly. Trial k uses numbers.uniform(arm, 2k)
// and, for the order, numbers.uniform(arm, 2k + 1).
std::size_t resampled_trials(Arm arm, Arm played, double probability,
                             std::span<const std::uint8_t> shown, const Stream& numbers);

// The caller must have checked `spec`, which becomes part of the saved state.
std::unique_ptr<RestorableLearner> make_exp3_res(const LearnerSpec& spec);

}  // namespace hearsay
