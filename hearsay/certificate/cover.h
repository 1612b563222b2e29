#pragma once

// A bound on independent sets that is easy to check: the arms are divided into groups, and of each
// group an independent set can have a known number of arms at most. Of a clique it can have one.

#include <cstddef>
#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

struct CoverGroup {
  std::vector<Arm> arms;
  std::size_t bound = 1;  // no independent set has more of these arms
};

// Every arm is in exactly one group.
using Cover = std::vector<CoverGroup>;

// No independent set has more arms than this, the sum of the bounds.
std::size_t bound_of(const Cover& cover);

}  // namespace hearsay
