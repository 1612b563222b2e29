#pragma once

// Key numbers of a graph, as `hearsay graph info` prints them.

#include <cstddef>
#include <optional>

#include "hearsay/graph/graph.h"

namespace hearsay {

struct GraphSummary {
  std::size_t arms = 0;
  std::size_t arcs = 0;  // of positive weight, between different arms
  double density = 0;    // arcs / (arms (arms - 1)); 0 for one arm
  bool symmetric = true;
  double self_weight = 1;
  // The extreme weights of the arcs; nullopt if there are no arcs.
  std::optional<double> smallest_weight;
  std::optional<double> largest_weight;
};

GraphSummary summarize(const Graph& graph);

}  // namespace hearsay
