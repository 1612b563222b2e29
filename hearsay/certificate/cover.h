#pragma once

// A bound on independent sets that is easy to check: the arms are divided into groups, and an
// independent set has at most a known number of arms of each group. For a clique this number is 1.

#include <cstddef>
#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

struct CoverGroup {
  std::vector<Arm> arms;
  std::size_t bound = 1;  // no independent set has more arms of this group
};

// Every arm is in exactly one group.
using Cover = std::vector<CoverGroup>;

// The sum of the bounds: no independent set has more arms.
std::size_t bound_of(const Cover& cover);

}  // namespace hearsay
