#pragma once

// In the complement of an unweighted graph, two arms have arcs of weight 1 in both directions if
// they have none in the graph, and otherwise none. So independent sets of one are cliques of the
// other, also if some arcs of the graph have one direction only.

#include "hearsay/graph/graph.h"

namespace hearsay {

// Keeps the self weight. Throws Error if any other weight is neither 0 nor 1, or if the graph has
// more than 16384 arms, because the complement is stored densely.
Graph complement(const Graph& graph);

}  // namespace hearsay
