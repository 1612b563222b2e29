#pragma once

// Finds largest independent sets of sparse graphs. At every node of the search tree the graph is
// reduced (reduction.h), its components are solved one by one, and the search branches on an arm
// with many conflicts: either it is in the set or not. Components that have become small and dense
// are solved by clique search.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

struct LargerSet {
  enum class Outcome {
    undecided,  // a limit was reached; `set` is a larger set if one was found, otherwise empty
    none,       // there is no larger set
    found,      // `set` is a largest one
  };
  Outcome outcome = Outcome::undecided;
  std::vector<Arm> set = {};
  std::uint64_t nodes = 0;
};

// Looks for an independent set of more than `size` arms, until it has visited about `nodes` nodes
// of the search tree, of about a microsecond each, or effort.stop returns true.
LargerSet find_larger_set(const ConflictGraph& graph, std::size_t size, std::uint64_t nodes,
                          const Effort& effort);

}  // namespace hearsay
