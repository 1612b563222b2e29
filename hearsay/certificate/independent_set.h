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
  std::size_t size = 0;     // the search ends when a set has so many arms, and then fills it up
  std::uint64_t steps = 0;  // ... or after so many steps
  std::uint64_t seed = 0;
  std::span<const Arm> start =
      {};  // from these arms, less those that conflict with one before them
};

// Tabu search: adds arms without conflict, else swaps an arm in for the only one it conflicts with,
// and where that leads nowhere forces one in. Returns the largest set it met. The same call gives
// the same set. The graph comes as lists of conflicts, for a large sparse one, or as bits of who
// can be together, where a step costs little more than an AND of the rows of the set.
std::vector<Arm> search_independent_set(const ConflictGraph& conflicts, const SetSearch& search,
                                        const Effort& effort);
std::vector<Arm> search_independent_set(const BitMatrix& compatible, const SetSearch& search,
                                        const Effort& effort);

}  // namespace hearsay
