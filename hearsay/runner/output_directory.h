#pragma once

// The directory of one experiment. It holds
//
//   experiment.toml                        from the start
//   checkpoint/                            while the experiment is running
//   results.csv, summary.csv, report.html  at the end (the report if this build has its page)
//
// Several shards of one experiment may share it: each has shard-I-of-K.checkpoint/ and, at the end,
// shard-I-of-K.units. A directory never holds files of two experiments.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "hearsay/runner/run_options.h"
#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/summary.h"

namespace hearsay {

// Makes `path`, which may exist, the directory of the experiment that `description` describes, and
// writes that as experiment.toml. Throws Error, with nothing changed, if the directory holds files
// that `existing` does not allow. `prefix`: of the same experiment, only files whose names begin
// with it are replaced.
void prepare_directory(const std::string& path, const std::string& description, Existing existing,
                       const std::string& prefix = "");

// Writes the whole file, or nothing if that fails.
void write_file(const std::string& path, std::string_view bytes);

class OutputDirectory {
 public:
  // Prepares the directory. Throws Error as prepare_directory() does.
  OutputDirectory(std::string path, const Plan& plan, const Shard& shard, Existing existing);

  std::string checkpoint() const;  // the path of its directory

  // Whether the experiment, or the shard, was finished here before.
  bool is_finished() const;

  // The rows in results.csv; none of a shard. Throws Error if the file is damaged.
  std::vector<ResultRow> read_results(const Plan& plan) const;

  // Writes the results of the whole experiment (`rows`) or the units of the shard (from `curves`).
  void write(const Plan& plan, const Curves& curves, std::span<const ResultRow> rows) const;

 private:
  std::string file(std::string_view name) const;
  void write_results(const Plan& plan, std::span<const ResultRow> rows) const;
  void write_units(const Plan& plan, const Curves& curves) const;

  std::string path_;
  Shard shard_;
};

// Reads the units of all finished shards in `directory` into `curves` and returns their indices.
// Throws Error if there is no shard, or one is damaged or of another experiment.
std::vector<std::size_t> read_shards(const std::string& directory, const Plan& plan,
                                     Curves& curves);

// The experiment of a directory.
Experiment read_experiment_in(const std::string& directory);

}  // namespace hearsay
