#pragma once

// The complement of an unweighted graph: an arc of weight 1 where it has none, and none where it
// has one. Independent sets of the one are cliques of the other.

#include "hearsay/graph/graph.h"

namespace hearsay {

// Throws Error where a weight is neither 0 nor 1, or where there are more than 16384 arms, of whose
// complement all weights would be stored. The self weight stays.
Graph complement(const Graph& graph);

}  // namespace hearsay
