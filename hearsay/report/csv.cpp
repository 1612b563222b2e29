#include "hearsay/report/csv.h"

#include <iterator>
#include <optional>
#include <string_view>

#include <fmt/format.h>

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

}  // namespace

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows) {
  std::string csv = "label,learner";
  for (const Parameter& parameter : parameters(LearnerSpec{})) {
    csv += fmt::format(",{}", parameter.key);
  }
  csv +=
      ",round,runs,regret,regret_sd,regret_sd_within_sequence,regret_standard_error,loss,loss_sd,"
      "best_arm_loss,bound\n";
  for (const ResultRow& row : rows) {
    const Cell& cell = plan.cells()[row.cell];
    csv += fmt::format("{},{}", field(cell.label), cell.learner.name);
    for (const Parameter& parameter : parameters(cell.learner)) {
      csv += fmt::format(",{}", parameter.value);
    }
    fmt::format_to(std::back_inserter(csv), ",{},{},{},{},{},{},{},{},{},{}\n", row.round, row.runs,
                   row.regret, field(row.regret_sd), field(row.regret_sd_within_sequence),
                   field(row.regret_standard_error), row.loss, field(row.loss_sd),
                   row.best_arm_loss, field(row.bound));
  }
  return csv;
}

}  // namespace hearsay
