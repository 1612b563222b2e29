#pragma once

// Largest independent sets of sparse graphs: at every node of the search the graph is reduced
// (reduction.h), its components are solved one by one, and an arm with many conflicts is taken or
// removed. Components that have become small and dense are left to the clique search.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

struct LargerSet {
  enum class Verdict {
    open,   // not decided within the limit
    none,   // there is no larger set
    found,  // `set` is a largest one
  };
  Verdict verdict = Verdict::open;
  std::vector<Arm> set = {};
  std::uint64_t nodes = 0;
};

// Looks for an independent set of more than `size` arms, within about `nodes` microseconds' worth
// of nodes of the search tree or until effort.stop.
LargerSet find_larger_set(const ConflictGraph& graph, std::size_t size, std::uint64_t nodes,
                          const Effort& effort);

}  // namespace hearsay
