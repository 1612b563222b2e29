#pragma once

// Graphs and observations in the form that the reference formulas of the tests use.

#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// rows[played][seen] is the weight.
inline std::vector<std::vector<double>> rows_of(const Graph& graph) {
  std::vector<std::vector<double>> rows(graph.arms(), std::vector<double>(graph.arms()));
  for (Arm j = 0; j < graph.arms(); ++j) {
    for (Arm i = 0; i < graph.arms(); ++i) {
      rows[j][i] = graph.weight(j, i);
    }
  }
  return rows;
}

// The observations `c` of those arms that have a positive weight in this row.
inline std::vector<Observation> seen_of(const std::vector<double>& c,
                                        const std::vector<double>& weights) {
  std::vector<Observation> seen;
  for (Arm i = 0; i < c.size(); ++i) {
    if (weights[i] > 0) {
      seen.push_back({i, c[i]});
    }
  }
  return seen;
}

}  // namespace hearsay
