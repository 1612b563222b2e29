#include "hearsay/work/ranking.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hearsay/base/student.h"
#include "hearsay/work/mean.h"

namespace hearsay {
namespace {

// The regret of each run of a cell at the horizon.
std::vector<double> last_regrets(const Plan& plan, const Curves& curves, std::size_t cell) {
  std::vector<double> regrets;
  for (std::size_t sequence = 0; sequence < plan.experiment().sequences; ++sequence) {
    for (std::size_t repetition = 0; repetition < plan.experiment().repetitions; ++repetition) {
      const CurvePoint& last = curves.of(sequence, cell, repetition).back();
      regrets.push_back(last.loss - last.best_arm_loss);
    }
  }
  return regrets;
}

// Sets the difference to the best, and its interval, from the independent regrets of both.
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
  ranked.difference_half_width =
      student_quantile_95(differences.size() - 1) * std::sqrt(squares / ((count - 1) * count));
}

}  // namespace

std::vector<RankedRow> rank_rows(std::vector<ResultRow> rows, std::size_t sequences,
                                 std::size_t repetitions, const RegretsOf& regrets) {
  std::ranges::stable_sort(rows, {}, &ResultRow::regret);
  const auto independent_regrets = [&](const ResultRow& row) {
    std::vector<double> runs = regrets(row);
    return runs.empty() ? runs : independent_values(std::move(runs), repetitions);
  };
  const std::size_t independent = independent_values(sequences, repetitions);
  std::vector<double> best;
  std::vector<RankedRow> ranking;
  for (const ResultRow& row : rows) {
    RankedRow& ranked = ranking.emplace_back();
    ranked.row = row;
    ranked.rank =
        1 + static_cast<std::size_t>(
                std::ranges::lower_bound(rows, row.regret, {}, &ResultRow::regret) - rows.begin());
    if (independent > 1) {
      ranked.regret_half_width = student_quantile_95(independent - 1) * *row.regret_standard_error;
    }
    const std::vector<double> of_row = independent_regrets(row);
    if (ranking.size() == 1) {
      best = of_row;
    }
    if (of_row.empty()) {
      ranked.difference = row.regret - rows.front().regret;
    } else {
      compare(ranked, of_row, best);
    }
  }
  return ranking;
}

std::vector<RankedRow> rank_rows(const Plan& plan, const Curves& curves,
                                 std::span<const ResultRow> rows) {
  const Experiment& experiment = plan.experiment();
  return rank_rows(at_horizon(plan, rows), experiment.sequences, experiment.repetitions,
                   [&](const ResultRow& row) { return last_regrets(plan, curves, row.cell); });
}

}  // namespace hearsay
