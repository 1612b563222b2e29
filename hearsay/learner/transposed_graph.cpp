#include "hearsay/learner/transposed_graph.h"

#include <hwy/cache_control.h>

#include "hearsay/base/interruption.h"

namespace hearsay {

TransposedGraph::TransposedGraph(const Weighting& weighting, const Graph& graph)
    : graph_(graph),
      own_(weighting.self_coverage(graph.self_weight())),
      covers_everything_(hearsay::covers_everything(weighting)) {
  if (!covers_everything_) {
    transpose(weighting);
  }
}

void TransposedGraph::transpose(const Weighting& weighting) {
  const std::size_t arms = graph_.arms();
  std::vector<double> row;
  const auto for_each_kept = [&](Arm played, auto&& visit) {
    const std::span<const double> weights = graph_.weights().row(played);
    row.resize(weights.size());
    weighting.coverages(weights, row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const Arm seen =
          graph_.is_dense() ? static_cast<Arm>(k) : graph_.weights().row_columns(played)[k];
      if (seen != played && row[k] != 0) {
        visit(seen, row[k]);
      }
    }
    note_work(row.size());
  };
  // The in-arcs of each arm are counted first, and then filled in.
  begin_.assign(arms + 1, 0);
  for (Arm played = 0; played < arms; ++played) {
    for_each_kept(played, [&](Arm seen, double) { ++begin_[seen + 1]; });
  }
  for (std::size_t i = 0; i < arms; ++i) {
    begin_[i + 1] += begin_[i];
  }
  played_ = filled<Arm, LargePages<Arm>>(begin_.back());
  coverage_ = filled<double, LargePages<double>>(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (Arm played = 0; played < arms; ++played) {
    for_each_kept(played, [&](Arm seen, double coverage) {
      played_[next[seen]] = played;
      coverage_[next[seen]++] = coverage;
    });
  }
}

double TransposedGraph::coverage(const SumTree& weights, Arm arm) const {
  if (covers_everything_) {
    return weights.total();
  }
  double covered = weights[arm] * own_;
  for (std::size_t k = begin_[arm]; k < begin_[arm + 1]; ++k) {
    covered += weights[played_[k]] * coverage_[k];
  }
  return covered;
}

bool TransposedGraph::is_worth_prefetching() const {
  constexpr std::size_t kInCache = std::size_t{1} << 18U;
  return graph_.arms() + played_.size() >= kInCache;
}

void TransposedGraph::prefetch_rows(std::span<const Arm> arms) const {
  if (covers_everything_) {
    return;
  }
  for (const Arm arm : arms) {
    hwy::Prefetch(&begin_[arm]);
  }
}

void TransposedGraph::prefetch_arcs(const SumTree& weights, std::span<const Arm> arms) const {
  if (covers_everything_) {
    return;
  }
  for (const Arm arm : arms) {
    if (begin_[arm] < begin_[arm + 1]) {
      for (const std::size_t k : {begin_[arm], begin_[arm + 1] - 1}) {
        hwy::Prefetch(&played_[k]);
        hwy::Prefetch(&coverage_[k]);
      }
    }
  }
  for (const Arm arm : arms) {
    for (std::size_t k = begin_[arm]; k < begin_[arm + 1]; ++k) {
      hwy::Prefetch(&weights[played_[k]]);
    }
  }
}

}  // namespace hearsay
