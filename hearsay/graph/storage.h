#pragma once

// Which of the two storages a graph is best kept in.

#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

// The same graph, dense where at least a quarter of all entries are positive: there a dense product
// is the faster one, and takes at most three times the memory.
Graph in_fitting_storage(const Graph& sparse);

// The graph of these arcs, so kept. Throws what Graph::sparse throws.
Graph graph_of_arcs(std::size_t arms, std::vector<Arc> arcs);

}  // namespace hearsay
