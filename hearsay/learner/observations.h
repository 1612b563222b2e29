#pragma once

// What a learner checks before it believes a round.

#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

struct CheckedObservations {
  std::span<const double> weights;  // that they came with, in the graph or in `room`
  std::uint64_t out_of_range = 0;   // how many are
};

// Checks the observations against the graph. Throws Error for one that is missing, repeated, not a
// number, or out of range where the spec refuses those.
CheckedObservations check_observations(const LearnerSpec& spec, const Graph& graph,
                                       const Feedback& feedback, std::vector<double>& room);

}  // namespace hearsay
