#pragma once

// A search for an independent set of a given size that is as simple as possible: it exists to check
// the results of the solver, and shares no code with it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

// Arms and, for each, the arms that it is in conflict with.
using ConflictSets = std::map<Arm, std::set<Arm>>;

// Whether the graph has an independent set of `size` arms; nothing if stop() returned true before
// that was decided.
std::optional<bool> has_independent_set(const ConflictSets& graph, std::size_t size,
                                        const std::function<bool()>& stop);

}  // namespace hearsay
