#pragma once

// Runs an experiment:
//
//   ExperimentResult result = run_experiment(read_experiment("quickstart.toml"),
//                                            {.threads = 4, .out = "results"});
//
// This one call is behind `hearsay run`, hearsay-mpi, `hearsay reproduce` and the Python package.
// The same experiment gives the same results to the bit, for any options.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "hearsay/runner/run_options.h"
#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/progress.h"
#include "hearsay/work/summary.h"

namespace hearsay {

enum class RunStatus : std::uint8_t {
  finished,
  finished_before,  // the output directory holds the results already (Existing::resume)
  stopped,          // by RunOptions::progress; what is done is in the checkpoint, if there is one
};

struct ExperimentResult {
  explicit ExperimentResult(Experiment experiment);

  Plan plan;
  Curves curves;                // of the units that this call computed or found in a checkpoint
  std::vector<ResultRow> rows;  // empty if the run was stopped or is only a shard
  RunStatus status = RunStatus::finished;
  WorkDone work;
};

// Throws Error if the experiment or the output directory is wrong, std::system_error if a file
// cannot be written; what was computed is then in the checkpoint.
ExperimentResult run_experiment(Experiment experiment, const RunOptions& options = {});

// The whole experiment whose finished shards are in `directories`; writes its results to `out`.
// `record` is as RunOptions::record.
// Throws Error, with nothing written, if a shard is missing, damaged or of another experiment.
ExperimentResult merge_shards(std::span<const std::string> directories, const std::string& out,
                              Existing existing, const std::function<std::string()>& record = {});

}  // namespace hearsay
