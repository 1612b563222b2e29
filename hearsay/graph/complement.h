#pragma once

// The complement of an unweighted graph has an arc of weight 1 exactly where the graph has none.
// Independent sets of one are cliques of the other.

#include "hearsay/graph/graph.h"

namespace hearsay {

// Keeps the self weight. Throws Error if any other weight is neither 0 nor 1, or if the graph has
// more than 16384 arms, because the complement is stored densely.
Graph complement(const Graph& graph);

}  // namespace hearsay
