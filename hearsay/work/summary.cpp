#include "hearsay/work/summary.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>

#include "hearsay/base/interruption.h"
#include "hearsay/work/mean.h"

namespace hearsay {
namespace {

// With divisor n - 1, in two passes, so that close values do not cancel. None for fewer than two.
std::optional<double> variance(std::span<const double> values) {
  if (values.size() < 2) {
    return std::nullopt;
  }
  const double center = mean_of(values);
  double sum = 0;
  for (const double value : values) {
    sum += (value - center) * (value - center);
  }
  return sum / static_cast<double>(values.size() - 1);
}

std::optional<double> sd(std::span<const double> values) {
  const std::optional<double> squared = variance(values);
  return squared ? std::optional(std::sqrt(*squared)) : std::nullopt;
}

// The runs of one cell at one point.
ResultRow summarize_point(std::span<const CurvePoint> runs, std::size_t repetitions) {
  const auto each = [&](auto value) {
    std::vector<double> values;
    values.reserve(runs.size());
    std::ranges::transform(runs, std::back_inserter(values), value);
    return values;
  };
  const std::vector<double> regrets =
      each([](const CurvePoint& point) { return point.loss - point.best_arm_loss; });
  const std::vector<double> losses = each(&CurvePoint::loss);
  const std::vector<double> bounds = each(&CurvePoint::bound);

  std::vector<double> sequence_variances;
  for (std::size_t begin = 0; begin < regrets.size(); begin += repetitions) {
    const std::span<const double> sequence = std::span(regrets).subspan(begin, repetitions);
    sequence_variances.push_back(variance(sequence).value_or(0));
  }

  ResultRow row;
  row.runs = runs.size();
  row.regret = mean_of(regrets);
  row.regret_sd = sd(regrets);
  if (repetitions > 1) {
    row.regret_sd_within_sequence = std::sqrt(mean_of(sequence_variances));
  }
  const std::vector<double> independent = independent_values(regrets, repetitions);
  if (const std::optional<double> spread = sd(independent)) {
    row.regret_standard_error = *spread / std::sqrt(static_cast<double>(independent.size()));
  }
  row.loss = mean_of(losses);
  row.loss_sd = sd(losses);
  row.best_arm_loss = mean_of(each(&CurvePoint::best_arm_loss));
  if (std::ranges::none_of(bounds, [](double bound) { return std::isnan(bound); })) {
    row.bound = mean_of(bounds);
  }
  return row;
}

}  // namespace

std::size_t independent_values(std::size_t sequences, std::size_t repetitions) {
  return sequences > 1 ? sequences : repetitions;
}

std::vector<double> independent_values(std::vector<double> runs, std::size_t repetitions) {
  const std::size_t sequences = runs.size() / repetitions;
  if (sequences == 1) {
    return runs;
  }
  std::vector<double> means;
  for (std::size_t i = 0; i < sequences; ++i) {
    means.push_back(mean_of(std::span(runs).subspan(i * repetitions, repetitions)));
  }
  return means;
}

std::optional<double> ResultColumn::get(const ResultRow& row) const {
  return std::visit([&](auto each) { return std::optional<double>(row.*each); }, member);
}

bool ResultColumn::set(ResultRow& row, std::optional<double> value) const {
  if (const auto* always = std::get_if<double ResultRow::*>(&member)) {
    if (!value) {
      return false;
    }
    row.*(*always) = *value;
  } else {
    row.*std::get<std::optional<double> ResultRow::*>(member) = value;
  }
  return true;
}

std::vector<ResultRow> summarize(const Plan& plan, const Curves& curves) {
  return summarize(plan, curves, plan.experiment().sequences);
}

std::vector<ResultRow> summarize(const Plan& plan, const Curves& curves, std::size_t sequences) {
  assert(sequences >= 1 && sequences <= plan.experiment().sequences);
  const std::size_t repetitions = plan.experiment().repetitions;
  std::vector<ResultRow> rows;
  std::vector<CurvePoint> runs;
  for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
    runs.clear();
    for (std::size_t sequence = 0; sequence < sequences; ++sequence) {
      for (std::size_t repetition = 0; repetition < repetitions; ++repetition) {
        std::ranges::copy(curves.of(sequence, cell, repetition), std::back_inserter(runs));
      }
    }
    for (ResultRow& row : summarize_runs(runs, repetitions, plan.points())) {
      row.cell = cell;
      rows.push_back(row);
    }
  }
  return rows;
}

std::vector<ResultRow> summarize_runs(std::span<const CurvePoint> runs, std::size_t repetitions,
                                      std::span<const std::uint64_t> rounds) {
  std::vector<ResultRow> rows;
  std::vector<CurvePoint> at_round;
  for (std::size_t point = 0; point < rounds.size(); ++point) {
    at_round.clear();
    for (std::size_t place = point; place < runs.size(); place += rounds.size()) {
      at_round.push_back(runs[place]);
    }
    note_work(at_round.size());
    rows.push_back(summarize_point(at_round, repetitions));
    rows.back().round = rounds[point];
  }
  return rows;
}

std::vector<ResultRow> at_horizon(const Plan& plan, std::span<const ResultRow> rows) {
  std::vector<ResultRow> last;
  std::ranges::copy_if(rows, std::back_inserter(last),
                       [&](const ResultRow& row) { return row.round == plan.points().back(); });
  return last;
}

}  // namespace hearsay
