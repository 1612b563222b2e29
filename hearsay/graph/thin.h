#pragma once

// Removes the weak arcs of a graph, so that it can be stored sparsely and used with the lazy
// engine. docs/lazy.md says how that changes the regret.

#include "hearsay/graph/graph.h"

namespace hearsay {

// Keeps the arcs of weight `at_least` or more, and the self weight. The result is sparse. Throws
// Error if `at_least` is not in [0, 1].
Graph thin(const Graph& graph, double at_least);

}  // namespace hearsay
