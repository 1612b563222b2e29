#include "hearsay/report/csv.h"

#include <fmt/format.h>

namespace hearsay {

std::string csv_field(std::string_view text) {
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

std::string csv_field(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string results_csv_header() {
  std::string header = "label,learner";
  for (const Parameter& parameter : parameters(LearnerSpec{})) {
    header += fmt::format(",{}", parameter.key);
  }
  return header +
         ",round,runs,regret,regret_sd,regret_sd_within_sequence,regret_standard_error,loss,"
         "loss_sd,best_arm_loss,bound\n";
}

std::string results_csv_row(const Plan& plan, const ResultRow& row) {
  const Cell& cell = plan.cells()[row.cell];
  std::string line = fmt::format("{},{}", csv_field(cell.label), cell.learner.name);
  for (const Parameter& parameter : parameters(cell.learner)) {
    line += fmt::format(",{}", parameter.value);
  }
  return line + fmt::format(",{},{},{},{},{},{},{},{},{},{}\n", row.round, row.runs, row.regret,
                            csv_field(row.regret_sd), csv_field(row.regret_sd_within_sequence),
                            csv_field(row.regret_standard_error), row.loss, csv_field(row.loss_sd),
                            row.best_arm_loss, csv_field(row.bound));
}

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows) {
  std::string csv = results_csv_header();
  for (const ResultRow& row : rows) {
    csv += results_csv_row(plan, row);
  }
  return csv;
}

}  // namespace hearsay
