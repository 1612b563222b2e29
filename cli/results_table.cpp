#include "cli/results_table.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/text_table.h"

namespace hearsay::cli {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const FieldInfo& info, const FieldValue& value) {
  return std::visit(
      [&](const auto& each) {
        if constexpr (std::is_same_v<decltype(each), const std::monostate&>) {
          return info.none.empty() ? Json(nullptr) : Json(info.none);
        } else {
          return Json(each);
        }
      },
      value);
}

void print_json(const Plan& plan, std::span<const ResultRow> rows) {
  const FieldTable<LearnerSpec>& fields = LearnerSpec::fields();
  Json results = Json::array();
  for (const ResultRow& row : rows) {
    const Cell& cell = plan.cells()[row.cell];
    Json result = {{"label", cell.label}, {"learner", cell.learner.name}};
    std::size_t next = 0;
    const std::vector<Parameter> columns = parameters(cell.learner);
    for (std::size_t i = 0; i < fields.infos().size(); ++i) {
      const FieldInfo& info = fields.infos()[i];
      if (info.in_experiments) {
        const bool is_empty = columns[next++].value.empty();
        result[std::string(info.name)] =
            is_empty ? Json(nullptr) : to_json(info, fields.get(cell.learner, i));
      }
    }
    result["round"] = row.round;
    result["runs"] = row.runs;
    for (const ResultColumn& column : kResultColumns) {
      const std::optional<double> value = column.get(row);
      result[std::string(column.name)] = value ? Json(*value) : Json(nullptr);
    }
    results.push_back(std::move(result));
  }
  std::cout << Json{{"name", plan.experiment().name}, {"results", results}}.dump(2) << '\n';
}

// Indices of the parameters that have several values among the cells.
std::vector<std::size_t> varying_parameters(const Plan& plan) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < parameters(LearnerSpec{}).size(); ++i) {
    std::set<std::string> values;
    for (const Cell& cell : plan.cells()) {
      values.insert(parameters(cell.learner)[i].value);
    }
    values.erase("");  // of learners that do not take the parameter
    if (values.size() > 1) {
      columns.push_back(i);
    }
  }
  return columns;
}

// With one decimal, or with an exponent if that would have more than 15 digits.
std::string figure_text(double figure) {
  return std::abs(figure) < 1e15 ? fmt::format("{:.1f}", figure) : fmt::format("{:.3e}", figure);
}

TextTable results_table(const Plan& plan, std::span<const ResultRow> rows) {
  const std::vector<std::size_t> columns = varying_parameters(plan);
  TextTable table = {{"label"}};
  for (const std::size_t column : columns) {
    table.front().emplace_back(parameters(LearnerSpec{})[column].key);
  }
  table.front().insert(table.front().end(), {"regret", "error", "sd", "bound"});
  for (const ResultRow& row : rows) {
    const Cell& cell = plan.cells()[row.cell];
    std::vector<std::string>& line = table.emplace_back(1, cell.label);
    for (const std::size_t column : columns) {
      line.push_back(parameters(cell.learner)[column].value);
    }
    line.push_back(figure_text(row.regret));
    for (const auto& figure : {row.regret_standard_error, row.regret_sd, row.bound}) {
      line.push_back(figure ? figure_text(*figure) : "");
    }
  }
  return table;
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// What the figures are, and those of the best learners first.
void print_text(const Plan& plan, std::vector<ResultRow> rows) {
  const Experiment& experiment = plan.experiment();
  std::cout << fmt::format(
      "mean regret after {}, over {}{}; error: standard error\n",
      plural(experiment.environment.horizon, "round"), plural(experiment.repetitions, "run"),
      experiment.sequences == 1 ? ""
                                : fmt::format(" on each of {} sequences", experiment.sequences));
  std::ranges::stable_sort(rows, {}, &ResultRow::regret);
  print_table(results_table(plan, rows));
}

}  // namespace

void print_results(const Plan& plan, std::span<const ResultRow> rows, ResultsFormat format) {
  const std::vector<ResultRow> last = at_horizon(plan, rows);
  if (format == ResultsFormat::json) {
    print_json(plan, last);
  } else {
    print_text(plan, last);
  }
}

}  // namespace hearsay::cli
