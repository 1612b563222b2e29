#pragma once

// The files with the results of an experiment:
//
//   results.csv, summary.csv, ranking.csv, report.html   the results of the whole experiment (the
//                                                        report if this build has its page)
//   shard-I-of-K.units                                   the results of a shard
//   run.json, shard-I-of-K.json                          the text of RunOptions::record

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hearsay/runner/output_directory.h"
#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/summary.h"

namespace hearsay {

inline constexpr const char* kResultsFile = "results.csv";

// The names of the files, which result_files() or units_file() returns.
std::vector<std::string> result_file_names(const Shard& shard);
std::string record_file_name(const Shard& shard);

std::vector<OutputFile> result_files(const Plan& plan, const Curves& curves,
                                     std::span<const ResultRow> rows);
OutputFile units_file(const Plan& plan, const Shard& shard, const Curves& curves);

// The paths of the files of all finished shards in a directory. Throws Error if there are none.
std::vector<std::string> find_units_files(const std::string& directory);

// Reads the units in the file of a shard into `curves` and returns their indices. Throws Error if
// the file is damaged or of another experiment.
std::vector<std::size_t> read_units_file(const std::string& path, const Plan& plan, Curves& curves);

// The files of graphs and losses that an experiment names.
std::vector<DataFile*> data_files(Experiment& experiment);

}  // namespace hearsay
