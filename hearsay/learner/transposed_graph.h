#pragma once

// A graph transposed: for each arm, which others show it and with what coverage. The coverage of
// one arm then costs its in-arcs, however many arms there are.

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

  const Graph& graph() const { return graph_; }

  // The coverage of `arm` if arms are played in proportion to `weights`, times their total.
  double coverage(const SumTree& weights, Arm arm) const;

  // Whether the arrays are so large that waiting for memory is what a round costs.
  bool is_worth_prefetching() const;

  // Prefetch what coverage() reads for these arms: where their in-arcs are, and then the in-arcs
  // (of long rows the two ends) and the weights of the arms that they come from.
  void prefetch_rows(std::span<const Arm> arms) const;
  void prefetch_arcs(const SumTree& weights, std::span<const Arm> arms) const;

 private:
  void transpose(const Weighting& weighting);

  Graph graph_;
  double own_;                     // an arm's coverage by itself
  bool covers_everything_;         // every arm covers every arm at 1: no arcs are stored
  LargeArray<std::size_t> begin_;  // arm i has the in-arcs begin_[i] .. begin_[i + 1]
  LargeArray<Arm> played_;         // in increasing order for each arm
  LargeArray<double> coverage_;
};

}  // namespace hearsay
