#pragma once

// Chooses between dense and sparse storage for a graph.

#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

// Returns the same graph, dense if at least about a quarter of all entries are positive. The
// product is then faster, and dense storage takes at most three times the memory.
Graph in_fitting_storage(const Graph& sparse);

// Makes a graph from arcs, in the fitting storage. Throws Error as Graph::sparse does.
Graph graph_of_arcs(std::size_t arms, std::vector<Arc> arcs);

}  // namespace hearsay
