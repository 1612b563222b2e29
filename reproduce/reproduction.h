#pragma once

// Runs the paper's experiments again and writes their tables, claims and report to a directory
// (hearsay/runner/output_directory.h):
//
//   experiment.toml                   what was run; experiment-NAME.toml for each comparison, world
//   random-graphs.csv, grid.csv, results.csv, summary.csv, worlds.csv
//   report.html                       if this build has its page
//   claims.json
//   run.json                          if the caller gives its text

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "hearsay/runner/run_experiment.h"
#include "reproduce/claims.h"
#include "reproduce/paper.h"
#include "reproduce/worlds.h"

namespace hearsay::reproduce {

// How far one study is, in graphs or in rounds.
struct StudyProgress {
  std::string study;
  std::string counted;  // "graphs", "rounds"
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

struct ReproduceOptions {
  std::vector<std::string> parts;  // as ordered_parts() returns them
  PaperScale scale = PaperScale::full;
  std::uint64_t seed = 1;
  unsigned threads = 1;
  std::string out;
  Existing existing = Existing::refuse;
  std::string command;                       // runs the same again, for the report
  std::function<std::string()> record = {};  // as RunOptions::record

  std::function<void(const StudyProgress&)> progress = {};  // called by one thread at a time
  std::function<bool()> stop = {};  // whether to save the state and return; called by any thread
};

struct Reproduction {
  RunStatus status = RunStatus::finished;
  Claims claims;                 // if it was finished by this call
  std::vector<WorldRow> worlds;  // the same; empty without the part `worlds`
  StudyProgress stopped_at;      // if it was stopped
};

// Throws Error and std::system_error as run_experiment() does.
Reproduction reproduce_paper(const ReproduceOptions& options);

}  // namespace hearsay::reproduce
