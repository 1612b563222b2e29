#pragma once

// Drawing an arm from probabilities.

#include <span>
#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

// Returns the first arm at which the running sum of the probabilities exceeds `u`, so an arm of
// probability 0 is never drawn. If rounding leaves the whole sum at or below `u`, returns the last
// arm of positive probability.
inline Arm draw_arm(std::span<const double> probabilities, double u) {
  double sum = 0;
  std::size_t last_possible = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    sum += probabilities[i];
    if (sum > u) {
      return static_cast<Arm>(i);
    }
    if (probabilities[i] > 0) {
      last_possible = i;
    }
  }
  return static_cast<Arm>(last_possible);
}

// The probabilities of a draw among the available arms only: scaled to sum to 1, and 0 for all
// other arms. If their sum is too small to scale, the available arms get equal probabilities.
inline std::vector<double> restricted_to(std::span<const double> probabilities,
                                         std::span<const Arm> available) {
  constexpr double kLeastTotal = 1e-200;  // well above the smallest normal number
  double total = 0;
  for (const Arm arm : available) {
    total += probabilities[arm];
  }
  std::vector<double> restricted(probabilities.size());
  for (const Arm arm : available) {
    restricted[arm] = total >= kLeastTotal ? probabilities[arm] / total
                                           : 1 / static_cast<double>(available.size());
  }
  return restricted;
}

}  // namespace hearsay
