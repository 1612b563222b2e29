#pragma once

// Has this graph a clique of this size? The vertices that are branched on at the root of the search
// (clique_search.h) are the tasks that the threads share.
//
// The work can be done in portions, and goes on after the question got harder (fewer edges, a
// larger clique): what was refuted stays refuted. The outcome of a portion, including the clique
// found, is that of one thread working through the tasks in order, whatever the number of threads.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/certificate/bit_matrix.h"
#include "hearsay/certificate/effort.h"

namespace hearsay {

class CliqueProof {
 public:
  enum class Verdict {
    open,   // not decided within the portion
    none,   // there is no such clique
    found,  // there is one: clique()
  };

  CliqueProof(const BitMatrix& graph, std::size_t size);

  // Of the clique in question.
  std::size_t size() const { return size_; }

  // Continues for about `nodes` nodes of the search tree, or until effort.stop.
  Verdict advance(std::uint64_t nodes, const Effort& effort);

  // The vertices of the clique that the last advance() found.
  const std::vector<std::uint32_t>& clique() const { return clique_; }

  // From now on the question is whether `graph`, which has no edges but those of the graph before,
  // has a clique of `size`, which is at least the size before.
  void tighten(const BitMatrix& graph, std::size_t size);

  // No clique is larger, by what has been refuted so far.
  std::size_t upper() const;

  // Nodes of the search tree visited so far.
  std::uint64_t nodes() const { return nodes_; }

 private:
  struct Task {
    std::size_t vertex = 0;  // as numbered by order_
    bool done = false;
    std::uint64_t nodes = 0;
    std::vector<std::uint32_t> clique = {};  // not empty: found
  };
  class Workers;

  std::size_t size_;
  std::size_t classes_;               // that the coloured vertices take
  std::vector<std::uint32_t> order_;  // our number -> the caller's number
  BitMatrix graph_;                   // in our order
  std::vector<std::uint64_t> coloured_;
  std::vector<Task> tasks_;
  std::size_t settled_ = 0;  // tasks before this one are refuted and accounted for
  std::uint64_t nodes_ = 0;  // that the settled tasks took
  std::vector<std::uint32_t> clique_;
};

}  // namespace hearsay
