#pragma once

// How an experiment is run. The results do not depend on it.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "hearsay/work/plan.h"
#include "hearsay/work/progress.h"

namespace hearsay {

class WorkQueue;

// What to do if the output directory holds files of hearsay already.
enum class Existing {
  refuse,   // throw Error, unless it is a finished run of the same experiment, which is run again
  resume,   // continue the same experiment, or begin it
  replace,  // remove them and begin; files that hearsay did not write are never removed
};

// A part of an experiment, for one of several machines: every `of`-th unit of the plan, beginning
// with the `index`-th.
struct Shard {
  std::size_t index = 1;  // from 1 to `of`
  std::size_t of = 0;     // the number of shards; 0 if this is the whole experiment

  bool is_whole() const { return of == 0; }
  std::string name() const;                                // "shard-1-of-2"
  std::vector<std::size_t> units(const Plan& plan) const;  // indices in plan.units()
};

// Computes the units of a queue and calls `watch` meanwhile. Returns whether all units are done.
using ComputeUnits =
    std::function<bool(const Plan& plan, WorkQueue& queue, const WatchWork& watch)>;

struct RunOptions {
  std::size_t threads = 1;

  // The directory of the results (output_directory.h). If it is empty, no files are written.
  std::string out = {};
  Existing existing = Existing::refuse;
  Shard shard = {};

  // The paths of files that the caller has read, besides those that the experiment names. A run
  // that would replace one of them is refused.
  std::vector<std::string> inputs = {};

  // If `out` is empty: the directory of a checkpoint, from which the run continues and which is
  // kept at the end; or empty, for no checkpoint.
  std::string checkpoint = {};

  // Called before units are computed, about ten times a second, and at the end, by the calling
  // thread. If it returns false or throws, the states of the runs are saved, except those that are
  // too large to be saved at once, and the run ends.
  std::function<bool(const WorkDone&)> progress = {};

  // Returns the text of run.json: when and where the run was made and how long it took, which the
  // library does not find out itself. Called when the results are complete. If it is empty, there
  // is no such file.
  std::function<std::string()> record = {};

  // Computes the units, in place of `threads` threads of this process.
  ComputeUnits compute = {};
};

}  // namespace hearsay
