#pragma once

// A graph without its weak arcs, stored sparsely: what an engine whose rounds cost what is seen can
// be shown in place of a dense one. What that costs is in docs/lazy.md.

#include "hearsay/graph/graph.h"

namespace hearsay {

// The arcs of weight `at_least` or more; the self weight stays. Throws Error where `at_least` is
// not in [0, 1].
Graph thin(const Graph& graph, double at_least);

}  // namespace hearsay
