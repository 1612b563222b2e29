#include "hearsay/graph/summary.h"

#include <algorithm>

#include "hearsay/base/interruption.h"

namespace hearsay {

GraphSummary summarize(const Graph& graph) {
  GraphSummary summary;
  summary.arms = graph.arms();
  summary.arcs = graph.arc_count();
  summary.self_weight = graph.self_weight();
  if (graph.arms() > 1) {
    const auto arms = static_cast<double>(graph.arms());
    summary.density = static_cast<double>(graph.arc_count()) / (arms * (arms - 1));
  }
  for (Arm one = 0; one < graph.arms(); ++one) {
    graph.for_each_seen(one, [&](Arm other, double weight) {
      note_work(1);
      if (other == one) {
        return;
      }
      summary.symmetric = summary.symmetric && graph.weight(other, one) == weight;
      summary.smallest_weight = std::min(summary.smallest_weight.value_or(weight), weight);
      summary.largest_weight = std::max(summary.largest_weight.value_or(weight), weight);
    });
  }
  return summary;
}

}  // namespace hearsay
