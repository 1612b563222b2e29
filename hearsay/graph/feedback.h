#pragma once

// What one round shows: the arm played, and an observation for each arm it tells about.

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
  // In increasing arm, one for every arm of positive weight. An arm of weight 0 may be there (its
  // observation is noise alone) or not.
  std::span<const Observation> observations;
};

}  // namespace hearsay
