#pragma once

// The graph of the coming round, which an informed learner is shown before each decision.

#include <cstddef>
#include <optional>

#include "hearsay/base/error.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/observations.h"

namespace hearsay {

class ComingGraph {
 public:
  // Throws Error if the graph does not have `arms` arms.
  void see(const Graph& graph, std::size_t arms) {
    check_arms(graph, arms);
    graph_ = graph;
  }

  // Returns decide(graph), the decision of the coming round. see() must be called again before the
  // next decision, unless `decide` throws. Throws Error if see() was not called since the last one.
  template <class Decide>
  Decision use_for(Decide&& decide) {
    if (!graph_) {
      throw Error("the graph of this round is missing, expected see_graph() before each decision");
    }
    const Decision decision = decide(*graph_);
    graph_.reset();
    return decision;
  }

  // Null if see() was not called since the last decision.
  const Graph* graph() const { return graph_ ? &*graph_ : nullptr; }

 private:
  std::optional<Graph> graph_;
};

}  // namespace hearsay
