#include "hearsay/report/csv.h"

#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "hearsay/report/claims.h"

namespace hearsay {
namespace {

// In quotes where it must be.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c;
    if (c == '"') {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string field(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "";
}

constexpr std::string_view kFigures =
    ",round,runs,regret,regret_sd,regret_sd_within_sequence,regret_standard_error,loss,loss_sd,"
    "best_arm_loss,bound\n";

std::string header() {
  std::string csv = "label,learner";
  for (const Parameter& parameter : parameters(LearnerSpec{})) {
    csv += fmt::format(",{}", parameter.key);
  }
  return csv.append(kFigures);
}

void append_row(std::string& csv, const Plan& plan, const ResultRow& row) {
  const Cell& cell = plan.cells()[row.cell];
  csv += fmt::format("{},{}", field(cell.label), cell.learner.name);
  for (const Parameter& parameter : parameters(cell.learner)) {
    csv += fmt::format(",{}", parameter.value);
  }
  fmt::format_to(std::back_inserter(csv), ",{},{},{},{},{},{},{},{},{},{}\n", row.round, row.runs,
                 row.regret, field(row.regret_sd), field(row.regret_sd_within_sequence),
                 field(row.regret_standard_error), row.loss, field(row.loss_sd), row.best_arm_loss,
                 field(row.bound));
}

}  // namespace

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows) {
  std::string csv = header();
  for (const ResultRow& row : rows) {
    append_row(csv, plan, row);
  }
  return csv;
}

std::string results_csv(std::span<const ExperimentRows> experiments) {
  std::string csv = "experiment,sequences," + header();
  for (const ExperimentRows& each : experiments) {
    for (const ResultRow& row : each.rows) {
      csv += fmt::format("{},{},", field(each.plan->experiment().name), each.sequences);
      append_row(csv, *each.plan, row);
    }
  }
  return csv;
}

std::string random_graphs_csv(std::span<const RandomGraphPoint> points) {
  std::string csv = "weights,arms,graph,alpha_star,threshold,independence_number,solves,trend\n";
  const PaperTrend trend(points);
  for (const RandomGraphPoint& point : points) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}\n", field(name_of(point.law)),
                   point.arms, point.graph, point.result.upper, point.result.threshold,
                   point.result.independence_number, point.result.solves,
                   field(trend(point.law, point.arms)));
  }
  return csv;
}

std::string grid_csv(std::span<const GridPoint> points) {
  std::string csv = "weight,side,arms,alpha_star,threshold,independence_number,solves,limit\n";
  for (const GridPoint& point : points) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}\n",
                   field(formula(point.weight)), point.side, point.side * point.side,
                   point.result.upper, point.result.threshold, point.result.independence_number,
                   point.result.solves, field(refined_grid_limit(point.weight)));
  }
  return csv;
}

}  // namespace hearsay
