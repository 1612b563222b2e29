#include "hearsay/graph/thin.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {

Graph thin(const Graph& graph, double at_least) {
  if (!(at_least >= 0 && at_least <= 1)) {
    throw Error("thin", fmt::format("is {}, expected a number in [0, 1]", at_least));
  }
  std::vector<Arc> kept;
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      note_work(1);
      if (seen == played || weight >= at_least) {
        kept.push_back({played, seen, weight});
      }
    });
  }
  return Graph::sparse(graph.arms(), std::move(kept));
}

}  // namespace hearsay
