#pragma once

// A weighted observation graph at a threshold. The strength of a pair of arms is the larger of its
// two weights. At threshold eps two arms are in conflict if their strength is at least eps,
// otherwise compatible. An independent set has no conflicts, that is, its diameter (the largest
// strength of a pair in it) is below eps. Self weights do not matter.

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "hearsay/certificate/bit_matrix.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// A graph as a list of conflicts for every arm, for graphs with few conflicts.
class ConflictGraph {
 public:
  // `begin` has size() + 1 entries. The conflicts of arm i are arms[begin[i]] .. arms[begin[i + 1]
  // - 1], increasing.
  ConflictGraph(std::vector<std::size_t> begin, std::vector<Arm> arms)
      : begin_(std::move(begin)), arms_(std::move(arms)) {}

  std::size_t size() const { return begin_.size() - 1; }
  std::size_t degree(Arm arm) const { return begin_[arm + 1] - begin_[arm]; }
  std::span<const Arm> of(Arm arm) const {
    return std::span(arms_).subspan(begin_[arm], degree(arm));
  }
  std::size_t entries() const { return arms_.size(); }  // every conflict counted twice

 private:
  std::vector<std::size_t> begin_;
  std::vector<Arm> arms_;
};

// A graph in one of two forms. In a BitMatrix, joined arms are compatible.
using ThresholdGraph = std::variant<ConflictGraph, BitMatrix>;

// Whether lists of conflicts take less memory than a bit for every pair.
bool is_sparse(std::size_t arms, std::size_t entries);

// The same graph in the other form.
BitMatrix to_compatible(const ConflictGraph& conflicts);
ConflictGraph to_conflicts(const BitMatrix& compatible);

// The subgraph of `arms`, which are increasing; its arm i is arms[i].
ConflictGraph induced(const ConflictGraph& conflicts, std::span<const Arm> arms);

// The same with a buffer of the caller, for small subgraphs of a large graph. `number` has an entry
// for each arm of the graph. It must be kAbsent for every arm that is not in `arms` but in conflict
// with one of them. On return, number[arms[i]] is i.
inline constexpr Arm kAbsent = ~Arm{0};
ConflictGraph induced(const ConflictGraph& conflicts, std::span<const Arm> arms,
                      std::span<Arm> number);

// All arms, those with few conflicts first.
std::vector<Arm> few_conflicts_first(const ConflictGraph& graph);

// A component of a graph: its arms as numbered in the graph, increasing, and the conflicts among
// them.
struct ConflictComponent {
  std::vector<Arm> arms;
  ConflictGraph graph;
};

// Returns the components in the order of their first arms. Throws Stopped.
std::vector<ConflictComponent> components_of(const ConflictGraph& conflicts, const Effort& effort);

struct WeightedPair {
  double strength = 0;
  Arm first = 0;
  Arm second = 0;
};

// The strengths of all pairs of a graph. The weights of a dense graph are not copied. Functions
// with an Effort throw Stopped.
class Strengths {
 public:
  Strengths(Graph graph, const Effort& effort);

  std::size_t arms() const { return graph_.arms(); }
  double of(Arm a, Arm b) const;

  // The least strength of any pair, which is 0 for a pair without arcs; 1 if there is only one arm.
  double least(const Effort& effort) const;

  // The largest threshold that gives the same graph as `threshold`, if the graph has few distinct
  // weights: the least of them that is at least `threshold`. Otherwise, or if all weights are
  // smaller, `threshold` itself.
  double level(double threshold) const;

  // The pairs of `set` with positive strength, the strongest first, but at most `most` of them.
  std::vector<WeightedPair> strongest_pairs(std::span<const Arm> set, std::size_t most,
                                            const Effort& effort) const;

  // The graph at a threshold, in the form that takes less memory.
  ThresholdGraph at(double threshold, const Effort& effort) const;

 private:
  ConflictGraph conflicts(double threshold, StopPoll& poll) const;  // for a sparse graph
  BitMatrix compatible(double threshold, StopPoll& poll) const;     // for a dense graph

  Graph graph_;
  std::optional<Matrix> sparse_;  // the strengths of a sparse graph, without the diagonal
  std::vector<double> levels_;    // the distinct weights, increasing; empty if there are many
};

}  // namespace hearsay
