#pragma once

// The file that `hearsay alpha --json` prints: the bounds that were found, and what is needed to
// check them (independence_check.h). One line is one JSON object about one graph.

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

// Either `number`, which is alpha at a threshold, or `alpha_star`, with or without `noise`.
struct IndependenceClaims {
  std::size_t arms = 1;
  std::optional<IndependenceNumber> number = std::nullopt;
  std::optional<EffectiveIndependence> alpha_star = std::nullopt;
  std::optional<NoiseClaim> noise = std::nullopt;
};

// One line without its end. `seconds` is how long the search took, which is not checked.
std::string print_claims(const IndependenceClaims& claims, double seconds);

// Throws Error with the key as its place if the line is not what print_claims() prints for some
// claims, or if its fields contradict each other: a bound below the other one, a value that is not
// the bounds', an arm that the graph does not have, a witness of another size.
IndependenceClaims parse_claims(std::string_view line);

}  // namespace hearsay
