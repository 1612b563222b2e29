#pragma once

// Checks claims about independence numbers by another route than the one that led to them: along the
// weights of the graph, by the formulas, and where nothing else will do by a search of its own that
// shares no code with the solver and is as simple as possible.
//
// A lower bound of alpha* holds if alpha(eps) is large enough at every threshold eps: a chain of
// independent sets shows it. An upper bound holds if no larger independent set exists at one
// threshold: a cover by cliques shows it, or a search of the groups of the cover that are no
// cliques.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// alpha at a threshold, as someone states it.
struct NumberClaim {
  IndependenceNumber result;
  std::size_t independence_number = 1;
  bool exact = false;
};

// alpha* or alpha^R, as someone states it.
struct EffectiveClaim {
  EffectiveIndependence result;
  double value = 0;
  std::size_t independence_lower = 1;
};

struct NoiseClaim {
  double noise_bound = 0;
  EffectiveClaim alpha_r;
};

// Everything that `hearsay alpha --json` states.
struct IndependenceClaims {
  std::size_t arms = 0;
  std::optional<NumberClaim> number;
  std::optional<EffectiveClaim> alpha_star;
  std::optional<NoiseClaim> noise;
};

struct CheckedClaim {
  enum class Status {
    verified,
    not_verified,  // neither shown nor refuted, within the time given
    refuted,
  };
  std::string claim;  // the key in the file
  Status status = Status::not_verified;
  std::string reason;
};

// One entry for each claim, in the order of the file. It ends within a fraction of a second after
// effort.stop; what was not decided by then is not verified.
std::vector<CheckedClaim> check_claims(const Graph& graph, const IndependenceClaims& claims,
                                       const Effort& effort = {});

// The claims that results make, as `hearsay alpha --json` prints them.
IndependenceClaims claims_of(const Graph& graph, const IndependenceNumber& number);
IndependenceClaims claims_of(const Graph& graph, const EffectiveIndependence& alpha_star);
void add_noise(IndependenceClaims& claims, double noise_bound,
               const EffectiveIndependence& alpha_r);

}  // namespace hearsay
