#include "hearsay/graph/complement.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"

namespace hearsay {

Graph complement(const Graph& graph) {
  constexpr std::size_t kMostArms = 16'384;  // 2 GiB
  const std::size_t n = graph.arms();
  if (n > kMostArms) {
    throw Error(
        fmt::format("the graph has {} arms, expected at most {} for a complement", n, kMostArms));
  }
  std::vector<double> weights = filled(n * n, 1.0);
  for (Arm played = 0; played < n; ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played && weight != 1) {
        throw Error(fmt::format("weight({}, {}) is {}, expected 0 or 1 for a complement", played,
                                seen, weight));
      }
      weights[played * n + seen] = 0;
      weights[seen * n + played] = 0;
    });
    note_work(n);
  }
  for (Arm arm = 0; arm < n; ++arm) {
    weights[arm * n + arm] = graph.self_weight();
  }
  return Graph::dense(n, std::move(weights));
}

}  // namespace hearsay
