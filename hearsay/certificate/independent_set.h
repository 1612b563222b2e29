#pragma once

// Large independent sets, without a promise that they are the largest.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

struct SetSearch {
  std::size_t size = 0;     // the search ends when a set has this many arms
  std::uint64_t steps = 0;  // ... or after this many steps
  std::uint64_t seed = 0;
  std::span<const Arm> start =
      {};  // where it begins; arms in conflict with one before are left out
};

// Tabu search: adds arms without conflict, otherwise exchanges an arm for the only one that it is
// in conflict with, and if that leads nowhere adds a random arm and removes its conflicts. Returns
// the largest set that it met, to which no arm can be added. The same call gives the same set.
std::vector<Arm> search_independent_set(const ConflictGraph& conflicts, const SetSearch& search,
                                        const Effort& effort);
std::vector<Arm> search_independent_set(const BitMatrix& compatible, const SetSearch& search,
                                        const Effort& effort);

}  // namespace hearsay
