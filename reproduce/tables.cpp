#include "reproduce/tables.h"

#include <iterator>

#include <fmt/format.h>

#include "hearsay/report/csv.h"
#include "reproduce/claims.h"

namespace hearsay::reproduce {

std::string results_csv(std::span<const ExperimentRows> experiments) {
  std::string csv = "experiment,sequences," + results_csv_header();
  for (const ExperimentRows& each : experiments) {
    for (const ResultRow& row : each.rows) {
      csv += fmt::format("{},{},", csv_field(each.plan->experiment().name), each.sequences);
      csv += results_csv_row(*each.plan, row);
    }
  }
  return csv;
}

std::string random_graphs_csv(std::span<const RandomGraphPoint> points) {
  std::string csv = "weights,arms,graph,alpha_star,threshold,independence_number,solves,trend\n";
  const PaperTrend trend(points);
  for (const RandomGraphPoint& point : points) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}\n",
                   csv_field(name_of(point.law)), point.arms, point.graph, point.result.upper,
                   point.result.threshold, point.result.independence_number, point.result.solves,
                   csv_field(trend(point.law, point.arms)));
  }
  return csv;
}

std::string grid_csv(std::span<const GridPoint> points) {
  std::string csv = "weight,side,arms,alpha_star,threshold,independence_number,solves,limit\n";
  for (const GridPoint& point : points) {
    fmt::format_to(std::back_inserter(csv), "{},{},{},{},{},{},{},{}\n",
                   csv_field(formula(point.weight)), point.side, point.side * point.side,
                   point.result.upper, point.result.threshold, point.result.independence_number,
                   point.result.solves, csv_field(refined_grid_limit(point.weight)));
  }
  return csv;
}

}  // namespace hearsay::reproduce
