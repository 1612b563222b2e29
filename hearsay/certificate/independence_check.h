#pragma once

// Checks claims about independence numbers independently of the solver: by the weights of the
// graph, by the formulas and, where these do not decide, by a simple search that shares no code
// with the solver (set_check.h).
//
// The witness proves alpha(eps) >= k. The cover proves alpha(eps) <= k; its groups that are not
// cliques are searched. The chain proves alpha* >= x, by independent sets that are large enough at
// every threshold. alpha* <= x follows from alpha(eps) <= k at one threshold.

#include <string>
#include <vector>

#include "hearsay/certificate/claims_file.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

struct CheckedClaim {
  enum class Status {
    verified,
    not_verified,  // neither verified nor refuted within the limits of time and memory
    refuted,       // the claim or its evidence is false
  };
  std::string claim;  // as a formula: "alpha* >= 9"
  Status status = Status::not_verified;
  std::string reason;
};

// Returns one entry for each bound that the claims state. Ends within a fraction of a second after
// effort.stop returns true; claims that are undecided by then are not_verified. Throws Error if the
// claims are about a graph with another number of arms.
std::vector<CheckedClaim> check_claims(const Graph& graph, const IndependenceClaims& claims,
                                       const Effort& effort);

}  // namespace hearsay
