#pragma once

// A largest matching in the bipartite double cover of a graph. The double cover has two copies of
// every vertex, left and right, and joins left u to right v if u and v are in conflict. The
// matching solves the linear relaxation of the maximum independent set problem (Nemhauser and
// Trotter, 1975).

#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

struct DoubleCoverMatching {
  static constexpr Arm kUnmatched = ~Arm{0};

  std::vector<Arm> right_of;  // by left vertex
  std::vector<Arm> left_of;   // by right vertex
};

// Uses the algorithm of Hopcroft and Karp. Throws Stopped.
DoubleCoverMatching match_double_cover(const ConflictGraph& graph, const Effort& effort);

// An independent set `taken` that some largest independent set contains, and `removed`, all arms in
// conflict with it. Every removed arm is matched with a different taken arm with which it is in
// conflict; `partner` has for each taken arm its removed arm, or kUnmatched.
struct Crown {
  std::vector<Arm> taken;
  std::vector<Arm> removed;
  std::vector<Arm> partner;
};

// The arms that the linear relaxation decides. Throws Stopped.
Crown find_crown(const ConflictGraph& graph, const DoubleCoverMatching& matching,
                 const Effort& effort);

}  // namespace hearsay
