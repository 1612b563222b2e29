#include "hearsay/graph/storage.h"

#include <utility>

#include "hearsay/base/interruption.h"

namespace hearsay {

Graph graph_of_arcs(std::size_t arms, std::vector<Arc> arcs) {
  return in_fitting_storage(Graph::sparse(arms, std::move(arcs)));
}

Graph in_fitting_storage(const Graph& sparse) {
  const std::size_t arms = sparse.arms();
  if (sparse.weights().values().size() / arms < (arms + 3) / 4) {
    return sparse;
  }
  auto weights = filled<double>(arms * arms);
  for (Arm played = 0; played < arms; ++played) {
    sparse.for_each_seen(played,
                         [&](Arm seen, double weight) { weights[played * arms + seen] = weight; });
    note_work(arms);
  }
  return Graph::dense(arms, std::move(weights));
}

}  // namespace hearsay
