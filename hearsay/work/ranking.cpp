#include "hearsay/work/ranking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hearsay/base/student.h"
#include "hearsay/work/mean.h"

namespace hearsay {
namespace {

// The regrets of a cell at the horizon, as independent_values().
std::vector<double> independent_regrets(const Plan& plan, const Curves& curves, std::size_t cell) {
  const Experiment& experiment = plan.experiment();
  std::vector<double> runs;
  for (std::size_t sequence = 0; sequence < experiment.sequences; ++sequence) {
    for (std::size_t repetition = 0; repetition < experiment.repetitions; ++repetition) {
      const CurvePoint& last = curves.of(sequence, cell, repetition).back();
      runs.push_back(last.loss - last.best_arm_loss);
    }
  }
  return independent_values(std::move(runs), experiment.repetitions);
}

void compare(RankedRow& ranked, std::span<const double> regrets, std::span<const double> best) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < regrets.size(); ++i) {
    differences.push_back(regrets[i] - best[i]);
  }
  const auto count = static_cast<double>(differences.size());
  ranked.difference = mean_of(differences);
  if (differences.size() < 2) {
    return;
  }
  double squares = 0;
  for (const double difference : differences) {
    squares += (difference - ranked.difference) * (difference - ranked.difference);
  }
  const double quantile = student_quantile_95(differences.size() - 1);
  ranked.regret_half_width = quantile * *ranked.row.regret_standard_error;
  ranked.difference_half_width = quantile * std::sqrt(squares / ((count - 1) * count));
}

}  // namespace

std::vector<RankedRow> rank_rows(const Plan& plan, const Curves& curves,
                                 std::span<const ResultRow> rows) {
  std::vector<RankedRow> ranking;
  for (const ResultRow& row : at_horizon(plan, rows)) {
    ranking.emplace_back().row = row;
  }
  const auto regret = [](const RankedRow& each) { return each.row.regret; };
  std::ranges::stable_sort(ranking, {}, regret);
  const std::vector<double> best = independent_regrets(plan, curves, ranking.front().row.cell);
  for (RankedRow& each : ranking) {
    each.rank =
        1 + static_cast<std::size_t>(
                std::ranges::lower_bound(ranking, each.row.regret, {}, regret) - ranking.begin());
    compare(each, independent_regrets(plan, curves, each.row.cell), best);
  }
  return ranking;
}

}  // namespace hearsay
