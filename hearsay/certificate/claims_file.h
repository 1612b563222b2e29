#pragma once

// The file that `hearsay alpha --json` prints: the bounds that were found, and the evidence that is
// needed to check them (independence_check.h). Each line is one JSON object about one graph.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "hearsay/certificate/independence.h"

namespace hearsay {

struct NoiseClaim {
  double noise_bound = 0;
  EffectiveIndependence alpha_r;
};

// Has either `number`, which is alpha at a threshold, or `alpha_star`, with or without `noise`.
struct IndependenceClaims {
  std::size_t arms = 1;
  std::optional<IndependenceNumber> number = std::nullopt;
  std::optional<EffectiveIndependence> alpha_star = std::nullopt;
  std::optional<NoiseClaim> noise = std::nullopt;
};

// Returns one line without its line feed. `seconds` is how long the search took, which is never
// checked.
std::string print_claims(const IndependenceClaims& claims, double seconds);

// Throws Error at the key if the line is not of the form that print_claims() prints, or if its
// fields contradict each other: an upper bound below the lower one, a value that does not agree
// with the bounds, an arm that the graph does not have, a witness of another size.
IndependenceClaims parse_claims(std::string_view line);

}  // namespace hearsay
