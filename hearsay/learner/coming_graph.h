#pragma once

// The graph of the coming round, which an informed learner is shown before each decision.

#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

class ComingGraph {
 public:
  // Throws Error if the graph does not have `arms` arms.
  void see(const Graph& graph, std::size_t arms) {
    if (graph.arms() != arms) {
      throw Error(fmt::format("the graph has {} arms, expected {}", graph.arms(), arms));
    }
    graph_ = graph;
  }

  // Throws Error if see() was not called since the last decision.
  const Graph& get() const {
    if (!graph_) {
      throw Error("the graph of this round is missing, expected see_graph() before each decision");
    }
    return *graph_;
  }

  // To be called after each decision.
  void clear() { graph_.reset(); }

 private:
  std::optional<Graph> graph_;
};

}  // namespace hearsay
