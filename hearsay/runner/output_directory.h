#pragma once

// The directory of one experiment: experiment.toml from the start, checkpoint/ while under way,
// results.csv, summary.csv and report.html (where this build makes it) at the end. Shards of one
// experiment may share it: the same for each is shard-I-of-K.checkpoint/ and shard-I-of-K.units. It
// never holds files of two experiments.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/work/plan.h"
#include "hearsay/work/records.h"
#include "hearsay/work/result.h"

namespace hearsay {

// What to do where something is there already.
enum class Existing {
  refuse,   // unless it is a finished run of the same experiment, to be done again
  resume,   // the same experiment goes on
  replace,  // goes, whatever it was
};

// Makes `path`, which may be there, the directory of the experiment that `experiment` describes,
// and puts that in as experiment.toml. Throws Error, with nothing changed, where it holds something
// else. `part`: of the same experiment, only names that begin so are replaced.
void take_directory(const std::string& path, const std::string& experiment, Existing existing,
                    const std::string& part = "");

// The whole file or none of it.
void write_file(const std::string& path, std::string_view bytes);

// Every `of`-th unit of a plan, from the `index`-th on (which counts from 1). 1 of 1 is the whole.
struct Shard {
  std::size_t index = 1;
  std::size_t of = 1;

  bool is_whole() const { return of == 1; }
  std::vector<std::size_t> units(const Plan& plan) const;
};

class OutputDirectory {
 public:
  // Makes it and writes experiment.toml. Throws Error, with nothing changed, where it holds
  // something else. `plan` outlives it.
  OutputDirectory(std::string path, const Plan& plan, const Shard& shard, Existing existing);

  const std::string& path() const { return path_; }
  std::string checkpoint() const;

  // Whether the experiment, or the shard, was finished here before.
  bool is_finished() const;

  // Results of the whole, or the shard's units.
  void write(Records& records) const;

 private:
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  std::string path_;
  const Plan* plan_;
  Shard shard_;
};

// Reads the units of all finished shards in `directory` into `records`; returns which. Throws Error
// where there is none, or one is damaged or another experiment's.
std::vector<std::size_t> read_shards(const std::string& directory, const Plan& plan,
                                     Records& records);

// The experiment whose directory it is.
Experiment experiment_in(const std::string& directory);

}  // namespace hearsay
