#include "hearsay/runner/result_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <variant>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/report/experiment_report.h"
#include "hearsay/report/html.h"
#include "hearsay/work/unit_file.h"

namespace hearsay {
namespace {

constexpr const char* kSummary = "summary.csv";
constexpr const char* kRanking = "ranking.csv";
constexpr const char* kReport = "report.html";
constexpr std::string_view kUnits = ".units";

}  // namespace

std::vector<std::string> result_file_names(const Shard& shard) {
  if (!shard.is_whole()) {
    return {shard.name().append(kUnits)};
  }
  std::vector<std::string> names = {kResultsFile, kSummary, kRanking};
  if (report_available()) {
    names.emplace_back(kReport);
  }
  return names;
}

std::string record_file_name(const Shard& shard) {
  return (shard.is_whole() ? "run" : shard.name()) + ".json";
}

std::vector<OutputFile> result_files(const Plan& plan, const Curves& curves,
                                     std::span<const ResultRow> rows) {
  const ResultTables tables = result_tables(plan, curves, rows);
  std::vector<OutputFile> files = {
      {kResultsFile, tables.results}, {kSummary, tables.summary}, {kRanking, tables.ranking}};
  if (report_available()) {
    files.push_back({kReport, report_html(experiment_report(plan, tables))});
  }
  return files;
}

OutputFile units_file(const Plan& plan, const Shard& shard, const Curves& curves) {
  OutputFile file{shard.name().append(kUnits), unit_file_header(plan)};
  for (const std::size_t unit : shard.units(plan)) {
    file.bytes += unit_file_entry(plan, unit, curves.of(plan.units()[unit]));
  }
  return file;
}

std::vector<std::string> find_units_files(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("shard-") && name.ends_with(kUnits)) {
      paths.push_back(fmt::format("{}/{}", directory, name));
    }
  }
  if (paths.empty()) {
    throw Error(directory, "holds no finished shard, expected shard-I-of-K.units");
  }
  std::ranges::sort(paths);
  return paths;
}

std::vector<std::size_t> read_units_file(const std::string& path, const Plan& plan,
                                         Curves& curves) {
  const std::string bytes = read_file(path);
  UnitFileContents contents = read_unit_file(bytes, path, plan, curves);
  if (contents.whole_bytes != bytes.size()) {
    throw Error(path, fmt::format("is damaged or of another version at byte {}, expected the "
                                  "results of a unit",
                                  contents.whole_bytes));
  }
  return std::move(contents.units);
}

std::vector<DataFile*> data_files(Experiment& experiment) {
  std::vector<DataFile*> files;
  for (GraphSource& source : experiment.environment.graph.graphs) {
    if (auto* graph = std::get_if<FileGraph>(&source)) {
      files.push_back(&graph->file);
    }
  }
  if (auto* losses = std::get_if<LossesInFile>(&experiment.environment.losses)) {
    files.push_back(&losses->file);
  }
  return files;
}

}  // namespace hearsay
