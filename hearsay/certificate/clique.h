#pragma once

// Decides whether a graph has a clique of a given size, on several threads. The vertices on which
// the root of the search branches (clique_search.h) are the tasks of the threads.
//
// The work is done in portions. Between two of them the question may be made harder (fewer edges, a
// larger clique): what was refuted stays refuted. For any number of threads, the outcome of a
// portion, including the clique found, is the same as if one thread did the tasks in order.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hearsay/certificate/bit_matrix.h"
#include "hearsay/certificate/effort.h"

namespace hearsay {

class CliqueProof {
 public:
  enum class Outcome {
    undecided,  // the portion was used up
    none,       // there is no such clique
    found,      // clique() is one
  };

  CliqueProof(const BitMatrix& graph, std::size_t size);

  // The size of the clique that is looked for.
  std::size_t size() const { return size_; }

  // Continues for about `nodes` nodes of the search tree, or until effort.stop returns true.
  Outcome advance(std::uint64_t nodes, const Effort& effort);

  // The vertices of the clique that the last advance() found.
  const std::vector<std::uint32_t>& clique() const { return clique_; }

  // Makes the question harder: from now on it is whether `graph` has a clique of `size`. `graph`
  // must have no edge that the previous graph did not have, and `size` must not be smaller than
  // before.
  void tighten(const BitMatrix& graph, std::size_t size);

  // An upper bound on the size of a clique, from what has been refuted so far.
  std::size_t upper() const;

  // Nodes of the search tree visited so far.
  std::uint64_t nodes() const { return nodes_; }

 private:
  // The cliques whose last uncoloured vertex is this one.
  struct Branch {
    std::size_t vertex = 0;  // in the order of order_
    bool done = false;
    std::uint64_t nodes = 0;
    std::vector<std::uint32_t> clique = {};  // empty if none was found
  };
  class Workers;

  std::size_t size_;
  std::size_t classes_;               // number of colour classes of the coloured vertices
  std::vector<std::uint32_t> order_;  // internal number -> the caller's number
  BitMatrix graph_;                   // with internal numbers
  std::vector<std::uint64_t> coloured_;
  std::vector<Branch> branches_;
  std::size_t settled_ = 0;  // branches before this one are refuted and accounted for
  std::uint64_t nodes_ = 0;  // used by the settled branches
  std::vector<std::uint32_t> clique_;
};

}  // namespace hearsay
