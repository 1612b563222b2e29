#pragma once

// What a learner checks before it believes a round.

#include <cstdint>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// Checks the observations against the graph and lays the weights they came with out in `weights`.
// Returns how many are out of range. Throws Error for one that is missing, repeated, not a number,
// or out of range where the spec refuses those.
std::uint64_t read_observations(const LearnerSpec& spec, const Graph& graph,
                                const Feedback& feedback, std::vector<double>& weights);

}  // namespace hearsay
