#include "cli/results_table.h"

#include <algorithm>
#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "hearsay/work/result.h"

namespace hearsay::cli {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& number) {
  return number ? Json(*number) : Json(nullptr);
}

void print_json(const Plan& plan, const std::vector<ResultRow>& rows) {
  Json results = Json::array();
  for (const ResultRow& row : rows) {
    const Cell& cell = plan.cells()[row.cell];
    Json result = {{"label", cell.label},
                   {"learner", cell.learner.name},
                   {"noise_bound", cell.learner.noise_bound},
                   {"rate", cell.learner.rate ? Json(*cell.learner.rate) : Json("adaptive")},
                   {"exploration",
                    cell.learner.exploration ? Json(*cell.learner.exploration) : Json("theory")},
                   {"threshold", number_or_null(cell.learner.threshold)},
                   {"delta", number_or_null(cell.learner.delta)},
                   {"tuning", cell.learner.tuning
                                  ? Json(kTunings[static_cast<std::size_t>(*cell.learner.tuning)])
                                  : Json(nullptr)},
                   {"engine", kEngines[static_cast<std::size_t>(cell.learner.engine)]},
                   {"round", row.round},
                   {"runs", row.runs},
                   {"regret", row.regret},
                   {"regret_sd", number_or_null(row.regret_sd)},
                   {"regret_sd_within_sequence", number_or_null(row.regret_sd_within_sequence)},
                   {"regret_standard_error", number_or_null(row.regret_standard_error)},
                   {"loss", row.loss},
                   {"loss_sd", number_or_null(row.loss_sd)},
                   {"best_arm_loss", row.best_arm_loss},
                   {"bound", number_or_null(row.bound)}};
    results.push_back(std::move(result));
  }
  std::cout << Json{{"name", plan.experiment().name}, {"results", results}}.dump(2) << '\n';
}

// Of the parameters, those that tell cells apart which have them.
std::vector<std::size_t> telling(const Plan& plan) {
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < parameters(LearnerSpec{}).size(); ++i) {
    std::set<std::string> values;
    for (const Cell& cell : plan.cells()) {
      values.insert(parameters(cell.learner)[i].value);
    }
    values.erase("");
    if (values.size() > 1) {
      columns.push_back(i);
    }
  }
  return columns;
}

void print_text(const Plan& plan, const std::vector<ResultRow>& rows) {
  const std::vector<std::size_t> columns = telling(plan);
  std::vector<std::vector<std::string>> table = {{"label"}};
  for (const std::size_t column : columns) {
    table.front().emplace_back(parameters(LearnerSpec{})[column].key);
  }
  table.front().insert(table.front().end(), {"regret", "sd", "bound"});
  for (const ResultRow& row : rows) {
    const Cell& cell = plan.cells()[row.cell];
    std::vector<std::string>& line = table.emplace_back(1, cell.label);
    for (const std::size_t column : columns) {
      line.push_back(parameters(cell.learner)[column].value);
    }
    line.push_back(fmt::format("{:.1f}", row.regret));
    line.push_back(row.regret_sd ? fmt::format("{:.1f}", *row.regret_sd) : "");
    line.push_back(row.bound ? fmt::format("{:.1f}", *row.bound) : "");
  }
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& line : table) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], line[i].size());
    }
  }
  for (const auto& line : table) {
    std::string text = fmt::format("{:<{}}", line.front(), widths.front());
    for (std::size_t i = 1; i < line.size(); ++i) {
      text += fmt::format("  {:>{}}", line[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    std::cout << text << '\n';
  }
}

}  // namespace

void print_results(const Plan& plan, const Records& records, ResultsFormat format) {
  const std::vector<ResultRow> rows = at_horizon(plan, summarize(plan, records));
  format == ResultsFormat::json ? print_json(plan, rows) : print_text(plan, rows);
}

}  // namespace hearsay::cli
