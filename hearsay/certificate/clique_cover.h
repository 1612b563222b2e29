#pragma once

// Covers a graph by few cliques. An independent set has at most one arm of each clique, so their
// number bounds its size.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// The number of cliques of a greedy cover: each arm, those with few conflicts first, joins the
// largest clique that it fits into.
std::size_t clique_cover_size(const ConflictGraph& graph);

// A greedy cover of a graph of bits: the cliques are filled one after the other, in the order
// core_first().
Cover clique_cover(const BitMatrix& compatible);

// A greedy cover at a threshold, by the weights of the graph itself: each arm joins the first of at
// most 512 cliques that it fits into, or else is one by itself. In a large graph it compares far
// fewer pairs of arms than there are. Throws Stopped.
Cover first_fit_cover(const Graph& graph, double threshold, const Effort& effort);

// Searches for a cover by fewer cliques. The result depends only on the seed and the number of
// steps.
class CliqueCoverSearch {
 public:
  // Throws Stopped.
  CliqueCoverSearch(const ConflictGraph& graph, std::uint64_t seed, const Effort& effort);

  // Makes about `steps` steps, each of which looks at one conflict. Ends early if effort.stop
  // returns true or there are at most `enough` cliques.
  void improve(std::uint64_t steps, std::size_t enough, const Effort& effort);

  std::size_t size() const { return size_; }
  Cover cover() const;

 private:
  std::vector<Arm> next_order() const;

  const ConflictGraph& graph_;
  std::uint64_t seed_;
  std::uint64_t passes_ = 0;
  bool has_tried_largest_first_ = false;
  std::size_t size_;
  std::vector<Arm> clique_of_;
};

}  // namespace hearsay
