#pragma once

// Makes a conflict graph smaller, so that its independence number can be computed from that of the
// remaining graph, the kernel. For sparse graphs the kernel is often empty or has many components.
//
// The rules: an arm with at most one conflict, or with two that are in conflict with each other, is
// taken; an arm with two conflicts that are compatible is folded with them into one arm; an arm
// that conflicts with another one and with all conflicts of that one is removed; arms that the
// linear relaxation decides are taken or removed.
//
// Independent sets and covers of the kernel are lifted to the graph; both grow by taken().

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
    local,  // all except the linear relaxation
  };

  // Throws Stopped.
  Reduction(const ConflictGraph& graph, Rules rules, const Effort& effort);

  const ConflictGraph& kernel() const { return kernel_; }

  // The independence number of the graph minus that of the kernel.
  std::size_t taken() const { return taken_; }

  // The part of a set of the graph that is in the kernel. It need not be independent there.
  std::vector<Arm> restrict_set(std::span<const Arm> set) const;

  // An independent set of the graph with taken() more arms than that of the kernel, increasing.
  std::vector<Arm> lift_set(std::span<const Arm> kernel_set) const;

  // A cover of the graph whose bound is taken() more than that of the kernel's cover.
  Cover lift_cover(Cover kernel_cover) const;

 private:
  class Rewriter;
  friend std::vector<Arm> large_set(const ConflictGraph& graph, const Effort& effort);

  explicit Reduction(std::size_t arms) : arms_(arms), kernel_({0}, {}) {}

  // One change of the graph; steps_ has all of them in order.
  struct Step {
    enum class Kind {
      take,    // `arm` is in the set; it and `others`, which are a clique, are removed
      fold,    // `arm` and the two others are replaced by one arm, with the number others[0]
      remove,  // `arm` is removed, because others[0] can always replace it
    };
    Kind kind = Kind::take;
    Arm arm = 0;
    std::size_t others_end = 0;  // the end of its `others` in others_
  };
  std::span<const Arm> others_of(std::size_t step) const;

  std::size_t arms_;
  std::size_t taken_ = 0;
  std::vector<Step> steps_;
  std::vector<Arm> others_;
  std::vector<Arm> kernel_arms_;  // their numbers in the graph
  ConflictGraph kernel_;
};

// A large independent set, which need not be the largest, increasing. It is found by the local
// rules; whenever none of them applies, the arm with the most conflicts is left out. Throws
// Stopped.
std::vector<Arm> large_set(const ConflictGraph& graph, const Effort& effort);

}  // namespace hearsay
