#pragma once

// Has this graph a clique of this size? Branch and bound over rows of bits: at every node as many
// vertices as possible are put into size - 1 colour classes, which cannot hold the clique alone,
// and only the vertices left over are branched on (Tomita's bound in San Segundo's bitset form).
// The vertices left over at the root are the tasks that the threads share.
//
// The work can be done in portions, and goes on after the question got harder (fewer edges, a
// larger clique): what was refuted stays refuted. A portion's outcome, the clique found included,
// is that of one thread working through the tasks in order, whatever the number of threads.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/certificate/bit_matrix.h"
#include "hearsay/certificate/effort.h"

namespace hearsay {

class CliqueProof {
 public:
  enum class Verdict {
    open,   // not settled within the portion
    none,   // there is no such clique
    found,  // there is one: clique()
  };

  CliqueProof(const BitMatrix& graph, std::size_t size);

  // Works on for about `nodes` nodes of the search tree, or until effort.stop.
  Verdict advance(std::uint64_t nodes, const Effort& effort);

  // The vertices of the clique that the last advance() found.
  const std::vector<std::uint32_t>& clique() const { return clique_; }

  // From now on: has `graph`, which has no edge that the graph so far had not, a clique of `size`,
  // which is no less than the size so far?
  void tighten(const BitMatrix& graph, std::size_t size);

  // Of the search tree, visited so far.
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Task {
    std::size_t vertex = 0;  // as numbered by order_
    bool done = false;
    std::uint64_t nodes = 0;
    std::vector<std::uint32_t> clique = {};  // found: not empty
  };
  class Crew;

  void take_over(const BitMatrix& graph);

  std::size_t size_;
  std::vector<std::uint32_t> order_;  // ours -> the caller's number
  BitMatrix graph_;                   // in our order
  std::vector<std::uint64_t> coloured_;
  std::vector<Task> tasks_;
  std::size_t settled_ = 0;  // tasks before this one are refuted and accounted for
  std::uint64_t nodes_ = 0;  // that the settled tasks took
  std::vector<std::uint32_t> clique_;
};

}  // namespace hearsay
