#pragma once

// Checks claims about independence numbers by another route than the one that led to them: by the
// weights of the graph, by the formulas, and where nothing else decides by a simple search that
// shares no code with the solver (set_check.h).
//
// alpha(eps) >= k: the witness shows it. alpha(eps) <= k: the cover shows it; groups that are not
// cliques are searched. alpha* >= x: alpha(eps) must be large enough at every threshold, which the
// chain shows. alpha* <= x: alpha(eps) <= k at one threshold shows it.

#include <string>
#include <vector>

#include "hearsay/certificate/claims_file.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

struct CheckedClaim {
  enum class Status {
    verified,
    not_verified,  // neither shown nor refuted in the time given
    refuted,       // the claim, or what the file gives to show it, is false
  };
  std::string claim;  // as a formula: "alpha* >= 9"
  Status status = Status::not_verified;
  std::string reason;
};

// One entry for each bound that the claims state. It ends within a fraction of a second after
// effort.stop; what was not decided by then is not verified. Throws Error if the claims are about a
// graph with another number of arms.
std::vector<CheckedClaim> check_claims(const Graph& graph, const IndependenceClaims& claims,
                                       const Effort& effort);

}  // namespace hearsay
