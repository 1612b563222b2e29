#include "hearsay/runner/run_experiment.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/report/csv.h"
#include "hearsay/runner/output_directory.h"
#include "hearsay/runner/result_files.h"
#include "hearsay/work/checkpoint.h"
#include "hearsay/work/work_queue.h"
#include "hearsay/work/workers.h"

namespace hearsay {
namespace {

// Returns whether all units are done.
bool compute_units(ExperimentResult& result, Checkpoint* checkpoint, const RunOptions& options) {
  WorkQueue queue(result.plan, options.shard.units(result.plan), result.curves, checkpoint);
  const WatchWork watch = [&](const WorkDone& work) {
    if (options.progress && !options.progress(work)) {
      queue.stop();
    }
  };
  watch(queue.work_done());
  const bool complete = options.compute ? options.compute(result.plan, queue, watch)
                                        : run_workers(result.plan, queue, options.threads, watch);
  result.work = queue.work_done();
  return complete;
}

using Record = std::function<std::string()>;

std::vector<std::string> output_names(const Shard& shard, const Record& record) {
  std::vector<std::string> names = result_file_names(shard);
  if (record) {
    names.push_back(record_file_name(shard));
  }
  return names;
}

std::vector<OutputFile> output_files(const ExperimentResult& result, const Shard& shard,
                                     const Record& record) {
  std::vector<OutputFile> files = shard.is_whole()
                                      ? result_files(result.plan, result.curves, result.rows)
                                      : std::vector{units_file(result.plan, shard, result.curves)};
  if (record) {
    files.push_back({record_file_name(shard), record()});
  }
  return files;
}

// Data in memory becomes files of the directory, and the experiment names these from now on: so its
// experiment.toml can be run again.
DirectoryUse directory_use(Experiment& experiment, const RunOptions& options) {
  DirectoryUse use{.description = "",
                   .shard = options.shard,
                   .outputs = output_names(options.shard, options.record),
                   .inputs = options.inputs,
                   .existing = options.existing};
  for (DataFile* file : data_files(experiment)) {
    if (!file->in_memory) {
      use.inputs.push_back(file->path);
      continue;
    }
    const auto is_named = [&](std::string_view name) { return name == file->path; };
    if (is_named(kExperimentFile) || std::ranges::any_of(use.outputs, is_named)) {
      throw Error(file->path, "is data, but results have this name, expected another name");
    }
    if (std::ranges::none_of(use.data, is_named, &OutputFile::name)) {
      use.data.push_back({file->path, *file->in_memory});
    }
    *file = {.path = data_path(options.out, file->path), .checksum = file->checksum};
  }
  use.description = to_toml(experiment);
  return use;
}

// Throws Interrupted if options.progress returns false, because many megabytes of results may take
// long to write. All units are in the checkpoint then.
void write_results(ExperimentResult& result, OutputDirectory* directory,
                   const RunOptions& options) {
  const Interruption interruption(
      [&] { return options.progress && !options.progress(result.work); });
  if (options.shard.is_whole()) {
    result.rows = summarize(result.plan, result.curves);
  }
  if (directory != nullptr) {
    directory->finish(output_files(result, options.shard, options.record));
  }
}

}  // namespace

ExperimentResult::ExperimentResult(Experiment experiment)
    : plan(std::move(experiment)), curves(plan) {}

ExperimentResult run_experiment(Experiment experiment, const RunOptions& options) {
  std::optional<DirectoryUse> use;
  if (!options.out.empty()) {
    use = directory_use(experiment, options);
  }
  ExperimentResult result(std::move(experiment));
  std::optional<OutputDirectory> directory;
  if (use) {
    directory.emplace(options.out, *std::move(use));
    if (options.existing == Existing::resume && directory->is_finished()) {
      result.status = RunStatus::finished_before;
      if (options.shard.is_whole()) {
        const std::string path = directory->file(kResultsFile);
        result.rows = parse_results_csv(read_file(path), path, result.plan);
      }
      return result;
    }
    directory->begin();
  }
  const std::string checkpoint_path = directory ? directory->checkpoint() : options.checkpoint;
  std::optional<Checkpoint> checkpoint;
  if (!checkpoint_path.empty()) {
    checkpoint.emplace(checkpoint_path, result.plan, result.curves);
  }
  if (!compute_units(result, checkpoint ? &*checkpoint : nullptr, options)) {
    result.status = RunStatus::stopped;
    return result;
  }
  try {
    write_results(result, directory ? &*directory : nullptr, options);
  } catch (const Interrupted&) {
    result.status = RunStatus::stopped;
    result.rows.clear();
  }
  return result;
}

ExperimentResult merge_shards(std::span<const std::string> directories, const std::string& out,
                              Existing existing, const Record& record) {
  if (directories.empty()) {
    throw Error("no directories are given, expected those of all shards");
  }
  const std::string description = fmt::format("{}/{}", directories.front(), kExperimentFile);
  ExperimentResult result(read_experiment(description));
  std::vector<std::string> inputs = {description};
  std::vector<bool> done(result.plan.units().size());
  for (const std::string& directory : directories) {
    for (const std::string& path : find_units_files(directory)) {
      inputs.push_back(path);
      for (const std::size_t unit : read_units_file(path, result.plan, result.curves)) {
        done[unit] = true;
      }
    }
  }
  const auto missing = std::ranges::count(done, false);
  if (missing > 0) {
    throw Error(directories.front(),
                fmt::format("{} of {} units are missing, expected the directories of all shards",
                            missing, done.size()));
  }
  result.rows = summarize(result.plan, result.curves);
  OutputDirectory directory(out, {.description = to_toml(result.plan.experiment()),
                                  .shard = {},
                                  .outputs = output_names({}, record),
                                  .inputs = std::move(inputs),
                                  .existing = existing});
  directory.finish(output_files(result, {}, record));
  return result;
}

}  // namespace hearsay
