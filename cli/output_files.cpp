#include "cli/output_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/messages.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/files.h"
#include "hearsay/report/html.h"
#include "hearsay/report/page.h"

namespace hearsay::cli {

namespace {

// Whether the two are the same file, or would be if they were there.
bool is_same_file(const std::string& one, const std::string& other) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  return one == other || fs::equivalent(one, other, ignored) ||
         fs::weakly_canonical(fs::absolute(one, ignored), ignored) ==
             fs::weakly_canonical(fs::absolute(other, ignored), ignored);
}

}  // namespace

void check_outputs(const std::string& input, const std::vector<OutputOption>& outputs) {
  std::vector<std::string> taken = {input};
  for (const auto& [option, path] : outputs) {
    for (const std::string& other : taken) {
      if (!path.empty() && !other.empty() && is_same_file(path, other)) {
        throw Error(option, fmt::format("is {}, which this call {}, expected another file",
                                        in_quotes(path), other == input ? "reads" : "writes"));
      }
    }
    taken.push_back(path);
  }
}

void OutputFiles::add(const std::string& path, std::string_view bytes) {
  if (!path.empty()) {
    files_.push_back(std::make_unique<NewFile>(path));
    files_.back()->write(bytes);
  }
}

void OutputFiles::add_graph(const std::string& path, const Graph& graph,
                            std::span<const std::string> names) {
  if (!path.empty()) {
    const GraphFormat format = graph_format(path);
    files_.push_back(std::make_unique<NewFile>(path));
    NewFile& file = *files_.back();
    print_graph(
        format, graph, path, [&](std::string_view bytes) { file.write(bytes); }, names);
  }
}

void OutputFiles::commit() {
  for (const auto& file : files_) {
    file->sync();  // so that a full disk is found before the first is moved
  }
  for (const auto& file : files_) {
    file->commit();
  }
  files_.clear();
}

void warn_of_lost_names(const std::string& graph_file, std::span<const std::string> names) {
  constexpr std::size_t kMost = 10;
  if (names.empty() || holds_names(graph_format(graph_file))) {
    return;
  }
  const auto shown = names.first(std::min(names.size(), kMost));
  print_warning(
      fmt::format("{} holds no names: its arms are {}{} in this order; a .csv file holds names",
                  graph_file, on_one_line(fmt::format("{}", fmt::join(shown, ", "))),
                  shown.size() < names.size() ? ", ..." : ""));
}

void check_report(const std::string& path) {
  if (!path.empty() && !report_available()) {
    throw Error("--report", kNoPage);
  }
}

}  // namespace hearsay::cli
