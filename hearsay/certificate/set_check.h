#pragma once

// A search for an independent set of a given size that is as simple as possible. It checks the
// results of the solver and shares no code with it.

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

// For each vertex, the vertices that it is in conflict with, increasing.
using ConflictLists = std::vector<std::vector<Arm>>;

// Whether the graph has an independent set of `size` vertices. nullopt if stop() returned true
// before that was decided, or if it would take too much memory.
std::optional<bool> has_independent_set(const ConflictLists& graph, std::size_t size,
                                        const std::function<bool()>& stop);

}  // namespace hearsay
