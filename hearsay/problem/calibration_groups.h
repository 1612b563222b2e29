#pragma once

// Which pairs share a line: those of an arc, or of arcs that are pooled by group or by distance.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/problem/calibrate.h"
#include "hearsay/problem/calibration_line.h"
#include "hearsay/problem/pairs.h"

namespace hearsay {

// The pairs of each arc.
struct ArcsOfPairs {
  std::vector<CalibratedArc> list;         // sorted by the arm played and the arm seen
  std::vector<std::uint32_t> of_pair;      // an index of `list`
  std::vector<std::size_t> first_of_list;  // the first pair of each arc
};

// The arcs of all pairs. Their groups are not set yet.
ArcsOfPairs arcs_of(const Pairs& pairs);

// Sets the groups of the arcs, and returns the names of the groups. Throws Error if the pairs do
// not have the column by which they are to be pooled, or if an arc is in two groups or at two
// distances.
std::vector<std::string> pool_arcs(const Pairs& pairs, const CalibrationOptions& options,
                                   ArcsOfPairs& arcs);

// Calls visit(group, points, arcs of the points) for each of the `groups`, in order, with its pairs
// in their order.
using VisitGroup =
    std::function<void(std::size_t, const LinePoints&, std::span<const std::uint32_t>)>;
void for_each_group(const Pairs& pairs, const ArcsOfPairs& arcs, std::size_t groups,
                    const VisitGroup& visit);

}  // namespace hearsay
