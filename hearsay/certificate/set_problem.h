#pragma once

// The largest independent set of a graph, bounded from both sides ever more closely. The graph is
// reduced first; what remains is solved component by component: dense ones by clique search, sparse
// ones by branching and reducing, small sparse ones by both. Whatever has been found is kept when
// the work is stopped.
//
// The result depends on the calls alone, not on the number of threads, unless effort.stop ends one.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

class SetProblem {
 public:
  // Reduces the graph and takes the first bounds. Throws Stopped.
  SetProblem(ThresholdGraph graph, const Effort& effort);
  ~SetProblem();
  SetProblem(SetProblem&&) noexcept;
  SetProblem& operator=(SetProblem&&) noexcept;

  std::size_t lower() const;
  std::size_t upper() const;
  bool solved() const { return lower() == upper(); }

  std::vector<Arm> set() const;  // of lower() arms, increasing
  Cover cover() const;           // with the bound upper()

  // To be called with an independent set that is known from elsewhere.
  void offer(std::span<const Arm> set);

  // Looks for larger sets for about `steps` steps of local search.
  void search(std::uint64_t steps, std::uint64_t seed, const Effort& effort);

  // Looks for better covers for about `steps` steps, each of which looks at one conflict.
  void improve_cover(std::uint64_t steps, const Effort& effort);

  // Looks for larger sets, or the proof that there are none, for about `nodes` nodes of search
  // trees. Returns how many were visited.
  std::uint64_t prove(std::uint64_t nodes, const Effort& effort);

  // Brings the upper bounds of unsolved dense or small components down, by proofs for sizes above
  // what is known to exist, for about `nodes` nodes. Returns how many were visited.
  std::uint64_t lower_upper(std::uint64_t nodes, const Effort& effort);

  // Goes on with a graph that has all conflicts of this one and more, and with `set`, which is
  // independent in it, keeping what has been refuted. False if that is not possible: the problem is
  // unchanged then.
  bool add_conflicts(const ThresholdGraph& graph, std::span<const Arm> set);

  // How many times it was proved that a component has no larger set, or a larger one was found on
  // the way.
  std::uint64_t decisions() const { return decisions_; }

 private:
  class Component;

  template <class Work>
  void for_each_unsolved(std::uint64_t amount, std::uint64_t least, const Effort& effort,
                         Work&& work);

  std::unique_ptr<class Reduction> reduction_;  // null: the one component is the graph itself
  std::vector<std::unique_ptr<Component>> components_;
  std::size_t taken_ = 0;
  std::uint64_t decisions_ = 0;
};

}  // namespace hearsay
