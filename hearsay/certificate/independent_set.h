#pragma once

// Searches for large independent sets, which need not be the largest.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

struct SetSearch {
  std::size_t size = 0;     // the search ends when it has found a set of this many arms ...
  std::uint64_t steps = 0;  // ... or after this many steps
  std::uint64_t seed = 0;
  // The initial set. An arm in conflict with an earlier one is left out.
  std::span<const Arm> start = {};
};

// Takes each arm, those with few conflicts first, that is in conflict with none taken before.
// Returns the set, increasing. Throws Stopped.
std::vector<Arm> greedy_independent_set(const ConflictGraph& conflicts, const Effort& effort);

// Tabu search: adds an arm without conflicts; if there is none, swaps in an arm for the only one
// that it is in conflict with; if that brings no progress, adds a random arm and removes its
// conflicts. Returns the largest set that it found; with 0 steps, this is the initial set with
// other arms added until none is left that fits. The same call returns the same set.
std::vector<Arm> search_independent_set(const ConflictGraph& conflicts, const SetSearch& search,
                                        const Effort& effort);
std::vector<Arm> search_independent_set(const BitMatrix& compatible, const SetSearch& search,
                                        const Effort& effort);

}  // namespace hearsay
