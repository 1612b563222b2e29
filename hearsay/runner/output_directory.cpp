#include "hearsay/runner/output_directory.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/report/csv.h"
#include "hearsay/report/experiment_report.h"
#include "hearsay/report/html.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCheckpoint = "checkpoint";
constexpr const char* kExperiment = "experiment.toml";
constexpr const char* kResults = "results.csv";
constexpr const char* kSummary = "summary.csv";
constexpr const char* kReport = "report.html";
constexpr std::string_view kUnits = ".units";

bool is_ours(const std::string& name) {
  constexpr std::array<std::string_view, 8> kNames = {
      kExperiment,         kResults,   kSummary, kReport, "grid.csv", "claims.json",
      "random-graphs.csv", kCheckpoint};
  return std::ranges::find(kNames, name) != kNames.end() || name.starts_with("shard-") ||
         (name.starts_with("experiment-") && name.ends_with(".toml"));
}

// Those of our names that are there, in order.
std::vector<std::string> ours_in(const std::string& directory) {
  std::vector<std::string> names;
  if (fs::exists(directory)) {
    for (const auto& entry : fs::directory_iterator(directory)) {
      if (is_ours(entry.path().filename().string())) {
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

void take_directory(const std::string& path, const std::string& experiment, Existing existing,
                    const std::string& part) {
  make_directory(path);
  const std::string description = path + "/" + kExperiment;
  const std::vector<std::string> found = ours_in(path);
  const bool same = fs::exists(description) && read_file(description) == experiment;
  if (existing == Existing::replace) {
    for (const std::string& name : found) {
      if (!same || name.starts_with(part)) {
        fs::remove_all(fs::path(path) / name);
      }
    }
  } else if (!same && !found.empty()) {
    throw Error(path, fmt::format("holds {} of another experiment, expected none: choose another "
                                  "--out, or --force to replace it",
                                  found.front()));
  } else if (existing == Existing::refuse && fs::exists(path + "/" + part + kCheckpoint)) {
    throw Error(path,
                "holds an unfinished run of this experiment, expected --resume to go on or --force "
                "to start anew");
  }
  write_file(description, experiment);
}

std::vector<std::size_t> Shard::units(const Plan& plan) const {
  std::vector<std::size_t> units;
  for (std::size_t unit = index - 1; unit < plan.units().size(); unit += of) {
    units.push_back(unit);
  }
  return units;
}

OutputDirectory::OutputDirectory(std::string path, const Plan& plan, const Shard& shard,
                                 Existing existing)
    : path_(std::move(path)), plan_(&plan), shard_(shard) {
  take_directory(path_, to_toml(plan.experiment()), existing,
                 shard.is_whole() ? "" : shard_name(shard) + ".");
}

std::string OutputDirectory::checkpoint() const {
  return file((shard_.is_whole() ? "" : shard_name(shard_) + ".") + kCheckpoint);
}

bool OutputDirectory::is_finished() const {
  const std::string last = shard_.is_whole() ? kSummary : shard_name(shard_) + std::string(kUnits);
  return !fs::exists(checkpoint()) && fs::exists(file(last));
}

void OutputDirectory::write(Records& records) const {
  if (shard_.is_whole()) {
    const std::vector<ResultRow> rows = summarize(*plan_, records);
    const std::string results = results_csv(*plan_, rows);
    const std::string summary = results_csv(*plan_, at_horizon(*plan_, rows));
    write_file(file(kResults), results);
    if (report_available()) {
      write_file(file(kReport), report_html(experiment_report(*plan_, results, summary)));
    }
    write_file(file(kSummary), summary);
    return;
  }
  NewFile units(file(shard_name(shard_) + std::string(kUnits)));
  units.write(unit_file_header(*plan_));
  for (const std::size_t unit : shard_.units(*plan_)) {
    units.write(unit_file_record(*plan_, unit, records.of(plan_->units()[unit])));
  }
  units.commit();
}

std::vector<std::size_t> read_shards(const std::string& directory, const Plan& plan,
                                     Records& records) {
  std::vector<std::size_t> units;
  bool any_shard = false;  // where there are more shards than units, some have none
  for (const std::string& name : ours_in(directory)) {
    if (name.ends_with(kUnits)) {
      any_shard = true;
      const std::string path = fmt::format("{}/{}", directory, name);
      const std::string bytes = read_file(path);
      const UnitFileContents contents = read_unit_file(bytes, path, plan, records);
      if (contents.whole_bytes != bytes.size()) {
        throw Error(path,
                    fmt::format("is damaged, or cut by another version, at byte {}, expected a "
                                "record of a unit",
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

Experiment experiment_in(const std::string& directory) {
  return read_experiment(directory + "/" + kExperiment);
}

}  // namespace hearsay
