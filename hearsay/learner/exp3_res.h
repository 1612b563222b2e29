#pragma once

// Exp3-Res (Kocak, Neu, Valko, UAI 2016): exponential weights on arcs that are there or not by
// chance, without knowledge of their probabilities. The graph is never read: the learner goes by
// which arms it saw exactly, and estimates by resampling how rarely that happens.
//
// Its guarantee needs that every arm but the one played is shown independently with the same
// probability, as the graph sequence `drawn` does on a graph with equal weights.

#include <cstdint>
#include <memory>
#include <span>

#include "hearsay/base/state.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// How many trials pass until arm `arm` is shown, counting that one, and at most arms - 1. In each
// of them it is shown if it is played, which happens with `probability`, or if another arm was
// shown in the round in its place: trial k takes the k-th of the arms besides `arm` and `played`,
// in random order, if there are so many. shown[i] is not 0 if arm i was shown exactly. Trial k goes
// by numbers.uniform(arm, 2k) and, for the order, numbers.uniform(arm, 2k + 1).
std::size_t resampled_trials(Arm arm, Arm played, double probability,
                             std::span<const std::uint8_t> shown, const Stream& numbers);

// `spec`, which the caller has checked, goes into the saved state.
std::unique_ptr<Learner> make_exp3_res(const LearnerSpec& spec);

// From what save() wrote after the spec. Throws Error if the state is damaged.
std::unique_ptr<Learner> restore_exp3_res(const LearnerSpec& spec, StateReader& reader);

}  // namespace hearsay
