#pragma once

// The files that a command writes beside standard output.

#include <span>
#include <string>
#include <vector>

namespace hearsay::cli {

struct OutputFile {
  std::string option;  // that names it
  std::string path;    // empty: it was not given
};

// Throws Error if one of the files is `input`, which the command reads, or is given twice.
void check_outputs(const std::string& input, const std::vector<OutputFile>& outputs);

// Prints a warning if arms that have names are written to a graph file that holds numbers alone.
void warn_of_lost_names(const std::string& graph_file, std::span<const std::string> names);

// Throws Error if a report was asked for and this build has no page.
void check_report(const std::string& path);

}  // namespace hearsay::cli
