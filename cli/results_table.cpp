#include "cli/results_table.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "cli/terminal.h"
#include "cli/text_table.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/report/html.h"

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

// Numbers are aligned to the right.
TextTable::Align alignment_of(const Plan& plan, std::size_t parameter) {
  const bool is_number = std::ranges::all_of(plan.cells(), [&](const Cell& cell) {
    const std::string value = parameters(cell.learner)[parameter].value;
    double number = 0;
    return value.empty() || read_number(value, number);
  });
  return is_number ? TextTable::Align::right : TextTable::Align::left;
}

// The decimals of all columns of numbers; the standard errors decide on them.
int decimals_of(std::span<const ResultRow> rows) {
  std::vector<double> regrets;
  std::vector<double> errors;
  for (const ResultRow& row : rows) {
    regrets.push_back(row.regret);
    errors.push_back(row.regret_standard_error.value_or(0));
  }
  return column_decimals(regrets, errors);
}

// `rows` has the least regret first. The best is the first that is not shown the true losses.
TextTable results_table(const Plan& plan, std::span<const ResultRow> rows) {
  const std::vector<std::size_t> columns = varying_parameters(plan);
  const int decimals = decimals_of(rows);
  TextTable table = {.columns = {{"label", TextTable::Align::left}}, .rows = {}};
  for (const std::size_t column : columns) {
    table.columns.push_back(
        {std::string(parameters(LearnerSpec{})[column].key), alignment_of(plan, column)});
  }
  for (const char* title : {"regret", "error", "sd", "bound"}) {
    table.columns.push_back({title});
  }
  for (const ResultRow& row : rows) {
    const Cell& cell = plan.cells()[row.cell];
    if (!table.best && learner_row(cell.learner.name).information != Information::true_losses) {
      table.best = table.rows.size();
    }
    std::vector<std::string>& line = table.rows.emplace_back(1, cell.label);
    for (const std::size_t column : columns) {
      line.push_back(parameters(cell.learner)[column].value);
    }
    line.push_back(with_decimals(row.regret, decimals));
    for (const auto& number : {row.regret_standard_error, row.regret_sd, row.bound}) {
      line.push_back(number ? with_decimals(*number, decimals) : "");
    }
  }
  return table;
}

// A line that says what the numbers are, and the table, the best learner first.
void print_text(const Plan& plan, std::vector<ResultRow> rows, const std::string& directory) {
  const Experiment& experiment = plan.experiment();
  std::cout << fmt::format(
      "mean regret after {}, over {}{}; error: standard error\n",
      counted(experiment.environment.horizon, "round"), counted(experiment.repetitions, "run"),
      experiment.sequences == 1 ? "" : " on each of " + counted(experiment.sequences, "sequence"));
  std::ranges::stable_sort(rows, {}, &ResultRow::regret);
  TextTable table = results_table(plan, rows);
  constexpr std::size_t kMostRows = 20;
  const std::size_t shown =
      is_terminal(STDOUT_FILENO) ? std::min(kMostRows, rows.size()) : rows.size();
  table.rows.resize(shown);
  print_table(table);
  if (shown < rows.size()) {
    std::cout << fmt::format("and {} with more regret: {}/ranking.csv\n",
                             counted(rows.size() - shown, "row"), on_one_line(directory));
  }
}

}  // namespace

void print_results(const Plan& plan, std::span<const ResultRow> rows, ResultsFormat format,
                   const std::string& directory) {
  const std::vector<ResultRow> last = at_horizon(plan, rows);
  if (format == ResultsFormat::json) {
    print_json(plan, last);
  } else {
    print_text(plan, last, directory);
  }
}

std::string place_of_results(const std::string& directory) {
  return fmt::format(
      "results in {}{}", directory,
      report_available() ? fmt::format(", report in {}/report.html", directory) : std::string());
}

}  // namespace hearsay::cli
