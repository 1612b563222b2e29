#pragma once

// A transposed graph: for each arm, the arms that show it and their coverage. So the time to
// compute the coverage of an arm depends only on the number of its in-arcs, not on the number of
// arms.

#include <cstddef>
#include <span>
#include <vector>

#include "hearsay/graph/graph.h"
#include "hearsay/learner/large_pages.h"
#include "hearsay/learner/sum_tree.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

class TransposedGraph {
 public:
  TransposedGraph(const Weighting& weighting, const Graph& graph);

  // The coverage of `arm` if arms are played with probabilities proportional to `weights`,
  // multiplied by the sum of the weights.
  double coverage(const SumTree& weights, Arm arm) const;

  // Whether the arrays are so large that a round spends most of its time waiting for memory.
  bool is_worth_prefetching() const;

  // Prefetch what coverage() reads for these arms: first the positions of their in-arcs, then the
  // in-arcs (only the two ends of long rows) and the weights of the arms from which they come.
  void prefetch_rows(std::span<const Arm> arms) const;
  void prefetch_arcs(const SumTree& weights, std::span<const Arm> arms) const;

 private:
  void transpose(const Weighting& weighting);

  Graph graph_;
  double own_;                     // the coverage of an arm by itself
  bool covers_everything_;         // every arm covers every arm with coverage 1; no arcs are stored
  LargeArray<std::size_t> begin_;  // arm i has the in-arcs begin_[i] .. begin_[i + 1] - 1
  LargeArray<Arm> played_;         // in increasing order for each arm
  LargeArray<double> coverage_;
};

}  // namespace hearsay
