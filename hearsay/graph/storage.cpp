#include "hearsay/graph/storage.h"

#include <utility>

namespace hearsay {

Graph graph_of_arcs(std::size_t arms, std::vector<Arc> arcs) {
  Graph graph = Graph::sparse(arms, std::move(arcs));
  if (graph.weights().values().size() / arms < (arms + 3) / 4) {
    return graph;
  }
  std::vector<double> weights(arms * arms);
  for (Arm played = 0; played < arms; ++played) {
    graph.for_each_seen(played,
                        [&](Arm seen, double weight) { weights[played * arms + seen] = weight; });
  }
  return Graph::dense(arms, std::move(weights));
}

}  // namespace hearsay
