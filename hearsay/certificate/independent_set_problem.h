#pragma once

// Bounds the size of the largest independent set of a graph from both sides, more closely with each
// call. The graph is reduced first. The components of the rest are solved one by one: dense ones by
// clique search, sparse ones by branching and reducing, small sparse ones by both. If the work is
// stopped, everything found so far is kept.
//
// The result does not depend on the number of threads, unless effort.stop ends a call.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

class IndependentSetProblem {
 public:
  // Reduces the graph and finds the first bounds. Throws Stopped.
  IndependentSetProblem(ThresholdGraph graph, const Effort& effort);
  ~IndependentSetProblem();
  IndependentSetProblem(IndependentSetProblem&&) noexcept;
  IndependentSetProblem& operator=(IndependentSetProblem&&) noexcept;

  std::size_t lower() const;
  std::size_t upper() const;
  bool solved() const { return lower() == upper(); }

  // Whether a component that is not solved is sparse.
  bool is_sparse() const;

  std::vector<Arm> set() const;  // an independent set of lower() arms, increasing
  Cover cover() const;           // proves the bound upper()

  // Offers a set that is known to be independent. In each component its part, extended by arms that
  // fit, is kept if it is larger than the set found so far.
  void offer(std::span<const Arm> set);

  // Looks for larger sets for about `steps` steps of local search.
  void search(std::uint64_t steps, std::uint64_t seed, const Effort& effort);

  // Looks for better covers for about `steps` steps, each of which looks at one conflict.
  void improve_cover(std::uint64_t steps, const Effort& effort);

  // Looks for larger sets, or for the proof that there are none, for about `nodes` nodes of search
  // trees. Returns the number of nodes visited.
  std::uint64_t prove(std::uint64_t nodes, const Effort& effort);

  // Reduces the upper bounds of unsolved dense or small components, by proofs that there are no
  // sets of a size well above the lower bound, for about `nodes` nodes. Returns the number of nodes
  // visited.
  std::uint64_t reduce_upper_bound(std::uint64_t nodes, const Effort& effort);

  // Continues with a graph that has all conflicts of this one and more, and with `set`, which is
  // independent in it; what has been refuted stays refuted. Returns false and changes nothing if
  // that is not possible.
  bool add_conflicts(const ThresholdGraph& graph, std::span<const Arm> set);

  // The number of proofs that decided whether a component has a larger set.
  std::uint64_t decisions() const { return decisions_; }

 private:
  class Component;

  template <class Work>
  void for_each_unsolved(std::uint64_t amount, std::uint64_t least, const Effort& effort,
                         Work&& work);

  std::unique_ptr<class Reduction> reduction_;  // null if the graph itself is the only component
  std::vector<std::unique_ptr<Component>> components_;
  std::size_t taken_ = 0;
  std::uint64_t decisions_ = 0;
};

}  // namespace hearsay
