#pragma once

// What a learner observes in one round: the arm played and an observation for each arm seen.

#include <span>

#include "hearsay/graph/graph.h"

namespace hearsay {

// weight(played, arm) * loss(arm) + (1 - weight(played, arm)) * noise(arm)
struct Observation {
  Arm arm = 0;
  double value = 0;
};

struct Feedback {
  Arm played = 0;
  // Sorted by arm, with one observation for every arm of positive weight. An arm of weight 0, whose
  // observation is noise alone, may be included or left out.
  std::span<const Observation> observations;
};

}  // namespace hearsay
