#pragma once

// What one round shows the learner: the arm played and an observation for each arm seen.

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
  // Sorted by arm, one for every arm of positive weight. An arm of weight 0, whose observation is
  // noise alone, may be included or left out.
  std::span<const Observation> observations;
};

}  // namespace hearsay
