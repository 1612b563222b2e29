#pragma once

// Looks again at what independence.h claims, by another route: along the arcs of the graph and by
// the formula. It confirms the witness, and that the figures fit each other; that no larger set
// exists is the one claim that only the proof can give.

#include "hearsay/certificate/independence.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Each throws Error with the first claim that does not hold.
void check_independence(const Graph& graph, const IndependenceNumber& claim);
void check_independence(const Graph& graph, const EffectiveIndependence& claim,
                        const Cost& cost = inverse_square_cost);

}  // namespace hearsay
