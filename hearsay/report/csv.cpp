#include "hearsay/report/csv.h"

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/text.h"
#include "hearsay/report/series.h"

namespace hearsay {
namespace {

// Takes the last field off a line. Numbers are never in quotes.
std::string_view take_last_field(std::string_view& line) {
  const std::size_t comma = line.rfind(',');
  const std::string_view field = comma == std::string_view::npos ? line : line.substr(comma + 1);
  line = line.substr(0, comma == std::string_view::npos ? 0 : comma);
  return field;
}

// Reads the values of kResultColumns at the end of a line. Returns false if they are not numbers.
bool parse_values(std::string_view line, ResultRow& row) {
  for (auto column = kResultColumns.rbegin(); column != kResultColumns.rend(); ++column) {
    const std::string_view field = take_last_field(line);
    double number = 0;
    if ((!field.empty() && !read_number(field, number)) ||
        !column->set(row, field.empty() ? std::nullopt : std::optional(number))) {
      return false;
    }
  }
  return read_number(take_last_field(line), row.runs);
}

}  // namespace

std::string csv_field(const std::optional<double>& number) {
  return number ? fmt::format("{}", *number) : "";
}

std::string results_csv_header() {
  std::string header = "label,learner";
  for (const Parameter& parameter : parameters(LearnerSpec{})) {
    header += fmt::format(",{}", parameter.key);
  }
  header += ",round,runs";
  for (const ResultColumn& column : kResultColumns) {
    header += fmt::format(",{}", column.name);
  }
  return header + '\n';
}

std::string results_csv_row(const Plan& plan, const ResultRow& row) {
  const Cell& cell = plan.cells()[row.cell];
  std::string line = fmt::format("{},{}", csv_field(cell.label), csv_field(cell.learner.name));
  for (const Parameter& parameter : parameters(cell.learner)) {
    line += fmt::format(",{}", parameter.value);
  }
  line += fmt::format(",{},{}", row.round, row.runs);
  for (const ResultColumn& column : kResultColumns) {
    line += fmt::format(",{}", csv_field(column.get(row)));
  }
  return line + '\n';
}

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows) {
  std::string csv = results_csv_header();
  for (const ResultRow& row : rows) {
    const std::size_t before = csv.size();
    csv += results_csv_row(plan, row);
    note_work(csv.size() - before);
  }
  return csv;
}

std::string ranking_csv(const Plan& plan, std::span<const RankedRow> ranking) {
  std::vector<std::string> learners;
  for (const Cell& cell : plan.cells()) {
    learners.push_back(cell.learner.name);
  }
  return ranking_csv(ranking, cell_names(plan.cells()), learners);
}

std::string ranking_csv(std::span<const RankedRow> ranking, std::span<const std::string> names,
                        std::span<const std::string> learners) {
  std::string csv =
      "rank,name,learner,regret,regret_low,regret_high,difference,difference_low,difference_high,"
      "bound\n";
  const auto interval = [](double mean, const std::optional<double>& half_width) {
    return half_width ? fmt::format("{},{},{}", mean, mean - *half_width, mean + *half_width)
                      : fmt::format("{},,", mean);
  };
  for (const RankedRow& each : ranking) {
    csv += fmt::format(
        "{},{},{},{},{},{}\n", each.rank, csv_field(names[each.row.cell]),
        csv_field(learners[each.row.cell]), interval(each.row.regret, each.regret_half_width),
        interval(each.difference, each.difference_half_width), csv_field(each.row.bound));
  }
  return csv;
}

std::vector<ResultRow> parse_results_csv(std::string_view text, const std::string& name,
                                         const Plan& plan) {
  std::vector<ResultRow> rows;
  LineReader lines(text, name);
  lines.next();  // the header
  for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
    for (const std::uint64_t round : plan.points()) {
      ResultRow& row = rows.emplace_back();
      row.cell = cell;
      row.round = round;
      if (!lines.next() || !parse_values(lines.line(), row)) {
        lines.fail(
            "is not a row of the results of this experiment, expected the file as it was "
            "written");
      }
    }
  }
  // This compares the header and all that is not a number.
  if (results_csv(plan, rows) != text) {
    throw Error(name,
                "holds other results than those of this experiment, expected the file as it "
                "was written");
  }
  return rows;
}

}  // namespace hearsay
