#include "hearsay/runner/output_directory.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/report/csv.h"
#include "hearsay/report/experiment_report.h"
#include "hearsay/report/html.h"
#include "hearsay/work/unit_file.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCheckpoint = "checkpoint";
constexpr const char* kExperiment = "experiment.toml";
constexpr const char* kResults = "results.csv";
constexpr const char* kSummary = "summary.csv";
constexpr const char* kReport = "report.html";
constexpr std::string_view kUnits = ".units";

// Whether hearsay writes files of this name.
bool is_output_name(const std::string& name) {
  constexpr std::array<std::string_view, 8> kNames = {
      kExperiment,         kResults,   kSummary, kReport, "grid.csv", "claims.json",
      "random-graphs.csv", kCheckpoint};
  return std::ranges::find(kNames, name) != kNames.end() || name.starts_with("shard-") ||
         (name.starts_with("experiment-") && name.ends_with(".toml"));
}

// The names in a directory that hearsay writes, in order.
std::vector<std::string> output_names(const std::string& directory) {
  std::vector<std::string> names;
  if (fs::exists(directory)) {
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (is_output_name(entry.path().filename().string())) {
        names.push_back(entry.path().filename().string());
      }
    }
  }
  std::ranges::sort(names);
  return names;
}

std::string shard_name(const Shard& shard) {
  return fmt::format("shard-{}-of-{}", shard.index, shard.of);
}

// What the names of the shard's files begin with; empty for the whole experiment.
std::string name_prefix(const Shard& shard) {
  return shard.is_whole() ? "" : shard_name(shard) + ".";
}

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path)) {
    throw Error(path, fmt::format("could not be made ({}), expected a directory that can be "
                                  "written to",
                                  error ? error.message() : "not a directory"));
  }
}

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.commit();
}

void prepare_directory(const std::string& path, const std::string& description, Existing existing,
                       const std::string& prefix) {
  make_directory(path);
  const std::string description_path = path + "/" + kExperiment;
  const std::vector<std::string> found = output_names(path);
  const bool same = fs::exists(description_path) && read_file(description_path) == description;
  if (existing == Existing::replace) {
    for (const std::string& name : found) {
      if (!same || name.starts_with(prefix)) {
        fs::remove_all(fs::path(path) / name);
      }
    }
  } else if (!same && !found.empty()) {
    throw Error(path, fmt::format("holds {} of another experiment, expected none: choose another "
                                  "directory, or the option force to replace it",
                                  found.front()));
  } else if (existing == Existing::refuse && fs::exists(path + "/" + prefix + kCheckpoint)) {
    throw Error(path,
                "holds an unfinished run of this experiment, expected the option resume to "
                "continue it or force to begin again");
  }
  write_file(description_path, description);
}

OutputDirectory::OutputDirectory(std::string path, const Plan& plan, const Shard& shard,
                                 Existing existing)
    : path_(std::move(path)), shard_(shard) {
  prepare_directory(path_, to_toml(plan.experiment()), existing, name_prefix(shard_));
}

std::string OutputDirectory::file(std::string_view name) const {
  return fmt::format("{}/{}", path_, name);
}

std::string OutputDirectory::checkpoint() const {
  return file(name_prefix(shard_) + kCheckpoint);
}

bool OutputDirectory::is_finished() const {
  if (fs::exists(checkpoint())) {
    return false;
  }
  return shard_.is_whole() ? fs::exists(file(kResults)) && fs::exists(file(kSummary))
                           : fs::exists(file(shard_name(shard_).append(kUnits)));
}

std::vector<ResultRow> OutputDirectory::read_results(const Plan& plan) const {
  if (!shard_.is_whole()) {
    return {};
  }
  return parse_results_csv(read_file(file(kResults)), file(kResults), plan);
}

void OutputDirectory::write(const Plan& plan, const Curves& curves,
                            std::span<const ResultRow> rows) const {
  shard_.is_whole() ? write_results(plan, rows) : write_units(plan, curves);
}

// The summary is written last: is_finished() relies on it.
void OutputDirectory::write_results(const Plan& plan, std::span<const ResultRow> rows) const {
  const std::string results = results_csv(plan, rows);
  const std::string summary = results_csv(plan, at_horizon(plan, rows));
  write_file(file(kResults), results);
  if (report_available()) {
    write_file(file(kReport), report_html(experiment_report(plan, results, summary)));
  }
  write_file(file(kSummary), summary);
}

void OutputDirectory::write_units(const Plan& plan, const Curves& curves) const {
  NewFile units(file(shard_name(shard_).append(kUnits)));
  units.write(unit_file_header(plan));
  for (const std::size_t unit : shard_.units(plan)) {
    units.write(unit_file_entry(plan, unit, curves.of(plan.units()[unit])));
  }
  units.commit();
}

std::vector<std::size_t> read_shards(const std::string& directory, const Plan& plan,
                                     Curves& curves) {
  std::vector<std::size_t> units;
  bool any_shard = false;  // if there are more shards than units, some shards have no units
  for (const std::string& name : output_names(directory)) {
    if (name.ends_with(kUnits)) {
      any_shard = true;
      const std::string path = fmt::format("{}/{}", directory, name);
      const std::string bytes = read_file(path);
      const UnitFileContents contents = read_unit_file(bytes, path, plan, curves);
      if (contents.whole_bytes != bytes.size()) {
        throw Error(path, fmt::format("is damaged or of another version at byte {}, expected the "
                                      "results of a unit",
                                      contents.whole_bytes));
      }
      units.insert(units.end(), contents.units.begin(), contents.units.end());
    }
  }
  if (!any_shard) {
    throw Error(directory, "holds no finished shard, expected shard-I-of-K.units");
  }
  return units;
}

Experiment read_experiment_in(const std::string& directory) {
  return read_experiment(directory + "/" + kExperiment);
}

}  // namespace hearsay
