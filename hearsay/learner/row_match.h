#pragma once

// The check of a round's observations in the usual case, in which it finds nothing wrong.

#include <span>

#include "hearsay/graph/feedback.h"

namespace hearsay {

// Whether there is one observation for each weight of a row of the graph, in the same order and
// within its ObservationRange. `arms` has the arm of each weight; if it is empty, weight k is that
// of arm k.
bool observations_match_row(std::span<const Observation> observations,
                            std::span<const double> weights, std::span<const Arm> arms,
                            double noise_bound);

}  // namespace hearsay
