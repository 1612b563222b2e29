#pragma once

// Drawing an arm from probabilities.

#include <span>
#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

// The first arm at which the running sum of the probabilities exceeds `u`: an arm of probability 0
// is never drawn. If rounding leaves the whole sum at or below `u`, it is the last possible arm.
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

// The probabilities of a draw among these arms alone: scaled to sum to 1, and 0 for all others. If
// the arms have no probability left, it is the same for each of them.
inline std::vector<double> restricted_to(std::span<const double> probabilities,
                                         std::span<const Arm> available) {
  constexpr double kLeastTotal = 1e-200;  // far from where numbers end
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
