#pragma once

// Few cliques that cover a graph: an independent set has at most one arm of each.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

// How many cliques it takes if each arm, those with few conflicts first, joins the largest clique
// that it fits.
std::size_t clique_cover_size(const ConflictGraph& graph);

// The same for a graph as bits: one clique after the other is filled, in the order core_first().
Cover clique_cover(const BitMatrix& compatible);

// Keeps looking for fewer cliques. The result depends on the seed and the number of steps alone.
class CliqueCoverSearch {
 public:
  // Throws Stopped.
  CliqueCoverSearch(const ConflictGraph& graph, std::uint64_t seed, const Effort& effort);

  // Makes about `steps` steps, each of which looks at one conflict, or until effort.stop or until
  // there are no more than `enough` cliques.
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
