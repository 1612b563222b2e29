#pragma once

// A largest matching in the bipartite double cover of a graph, which has two copies of every
// vertex, left and right, and joins left u to right v where u and v are in conflict. It solves the
// linear relaxation of the maximum independent set problem (Nemhauser and Trotter, 1975).

#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

struct DoubleCoverMatching {
  static constexpr Arm kUnmatched = ~Arm{0};

  std::vector<Arm> right_of;  // by left vertex
  std::vector<Arm> left_of;   // by right vertex
};

// By Hopcroft and Karp. Throws Stopped.
DoubleCoverMatching match_double_cover(const ConflictGraph& graph, const Effort& effort);

// Arms that can all be taken into a largest independent set: `taken` is independent, and what
// conflicts with it is `removed`. Every removed arm is matched with a taken arm of its own, with
// which it is in conflict; `partner` is the removed arm of each taken one, or kUnmatched.
struct Crown {
  std::vector<Arm> taken;
  std::vector<Arm> removed;
  std::vector<Arm> partner;
};

// All that the linear relaxation decides. Throws Stopped.
Crown find_crown(const ConflictGraph& graph, const DoubleCoverMatching& matching,
                 const Effort& effort);

}  // namespace hearsay
