#pragma once

// A large independent set together with a proved bound on the largest. Where the two meet, the set
// is a largest one.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/certificate/bit_matrix.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

struct SetBounds {
  std::vector<Arm> set;
  std::size_t upper = 0;

  bool exact() const { return set.size() == upper; }
};

// By tabu search and clique proof, which ends inexact after `nodes` nodes of its tree.
SetBounds bound_independent_set(const BitMatrix& compatible, std::uint64_t nodes,
                                const Effort& effort);

// For large sparse graphs, in time about linear in their conflicts: arms that belong to some
// largest set are taken, what falls apart into small components is solved, and the rest is covered
// by cliques, from each of which at most one arm can be in a set.
SetBounds bound_independent_set(const ConflictGraph& conflicts, const Effort& effort);

}  // namespace hearsay
