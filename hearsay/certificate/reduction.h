#pragma once

// Makes a conflict graph smaller without losing its independence number. What remains, the kernel,
// is often empty for sparse graphs, and often falls apart.
//
// The rules: an arm without conflicts is taken, and so is one with a single conflict; an arm with
// two conflicts that are compatible is folded with them into one arm; an arm that conflicts with
// another one and with all that the other one conflicts with is removed; and what the linear
// relaxation decides is decided.
//
// Independent sets and covers of the kernel are lifted to the graph: both grow by taken().

#include <cstddef>
#include <span>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/threshold_graph.h"

namespace hearsay {

class Reduction {
 public:
  enum class Rules {
    all,
    local,  // all but the linear relaxation
  };

  // Throws Stopped.
  Reduction(const ConflictGraph& graph, Rules rules, const Effort& effort);

  const ConflictGraph& kernel() const { return kernel_; }

  // The independence number of the graph is this plus that of the kernel.
  std::size_t taken() const { return taken_; }

  // What is left of a set of the graph in the kernel. It need not be independent there.
  std::vector<Arm> restrict_set(std::span<const Arm> set) const;

  // An independent set of the graph, taken() larger than that of the kernel; increasing.
  std::vector<Arm> lift_set(std::span<const Arm> kernel_set) const;

  // A cover of the graph whose bound is taken() larger than that of the kernel's.
  Cover lift_cover(Cover kernel_cover) const;

 private:
  class Rewriter;
  friend std::vector<Arm> large_set(const ConflictGraph& graph, const Effort& effort);

  explicit Reduction(std::size_t arms) : arms_(arms), kernel_({0}, {}) {}

  // What was done to the graph, in order.
  struct Step {
    enum class Kind {
      take,    // `arm` is in the set; it and `others` are a clique, and gone
      fold,    // `arm` and the two others are the arm others[0] from now on
      remove,  // `arm` is gone: others[0] can always replace it
    };
    Kind kind = Kind::take;
    Arm arm = 0;
    std::size_t others = 0;  // where the others end in others_
  };
  std::span<const Arm> others_of(std::size_t step) const;

  std::size_t arms_;
  std::size_t taken_ = 0;
  std::vector<Step> steps_;
  std::vector<Arm> others_;
  std::vector<Arm> kernel_arms_;  // as numbered in the graph
  ConflictGraph kernel_;
};

// A large independent set, without a promise that it is the largest: by the local rules, and where
// they end the arm with the most conflicts is left out. Increasing. Throws Stopped.
std::vector<Arm> large_set(const ConflictGraph& graph, const Effort& effort);

}  // namespace hearsay
