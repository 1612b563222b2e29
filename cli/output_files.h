#pragma once

// The files that a command writes in addition to standard output.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/bytes.h"
#include "hearsay/graph/graph.h"

namespace hearsay::cli {

// An option that names a file to be written.
struct OutputOption {
  std::string option;  // "--report"
  std::string path;    // empty if the option was not given
};

// Throws Error if one of the files is `input`, which the command reads, or is given twice.
void check_outputs(const std::string& input, const std::vector<OutputOption>& outputs);

// Files that appear together: each is written beside its place, and commit() moves all of them
// there. Without commit(), or if one of them cannot be written, what was there before stays.
class OutputFiles {
 public:
  // Nothing is written if the path is empty.
  void add(const std::string& path, std::string_view bytes);
  void add_graph(const std::string& path, const Graph& graph, std::span<const std::string> names);
  void commit();

 private:
  std::vector<std::unique_ptr<NewFile>> files_;
};

// Prints a warning if arms that have names are written to a graph file that holds only numbers.
void warn_of_lost_names(const std::string& graph_file, std::span<const std::string> names);

// Throws Error if a report is requested and this build has no page.
void check_report(const std::string& path);

}  // namespace hearsay::cli
