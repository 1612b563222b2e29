#include "hearsay/experiment/sources.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/files.h"

namespace hearsay {
namespace {

// Notes the checksum of the bytes, or compares it with the one that was noted before.
void check_bytes(DataFile& file, std::string_view bytes) {
  const std::string checksum = checksum_text(bytes);
  if (!file.checksum.empty() && file.checksum != checksum) {
    throw Error(file.path, fmt::format("has changed: its checksum is {}, expected {}", checksum,
                                       file.checksum));
  }
  file.checksum = checksum;
}

}  // namespace

std::string data_path(const std::string& directory, const std::string& path) {
  std::string absolute = std::filesystem::absolute(std::filesystem::path(directory) / path)
                             .lexically_normal()
                             .string();
  if (!is_utf8(absolute)) {
    throw Error(absolute,
                "is not UTF-8, expected a path in UTF-8: move the file or rename its directory");
  }
  return absolute;
}

FileGraph parse_graph_file(DataFile file, std::string_view bytes) {
  check_bytes(file, bytes);
  Graph graph = parse_graph(graph_format(file.path), bytes, file.path);
  return {std::move(file), std::move(graph)};
}

LossesInFile parse_losses_file(DataFile file, std::string_view bytes) {
  check_bytes(file, bytes);
  auto table = std::make_shared<const losses::Table>(losses::parse_table(bytes, file.path));
  return {std::move(file), std::move(table)};
}

bool is_random(const GraphSource& source) {
  const auto* graph = std::get_if<FamilyGraph>(&source);
  return graph != nullptr && graph->family->is_random;
}

Graph make_graph(const GraphSource& source, const Stream& stream, std::uint64_t round) {
  if (const auto* in_file = std::get_if<FileGraph>(&source)) {
    return in_file->graph;
  }
  const auto& graph = std::get<FamilyGraph>(source);
  return graph.family->make(graph.options, stream, round, 1);
}

std::size_t arms_of(const GraphSource& source) {
  if (const auto* in_file = std::get_if<FileGraph>(&source)) {
    return in_file->graph.arms();
  }
  const auto& graph = std::get<FamilyGraph>(source);
  return graph.family->arms(graph.options);
}

void check_losses(const LossSource& source, std::size_t arms, std::uint64_t horizon) {
  if (const auto* losses = std::get_if<LossesOfKind>(&source)) {
    losses->kind->check(losses->options, arms);
    return;
  }
  const auto& [file, table] = std::get<LossesInFile>(source);
  const std::size_t rounds = table->values.size() / table->arms;
  if (rounds < horizon) {
    throw Error(file.path,
                fmt::format("has {} rounds, expected at least the horizon, {}", rounds, horizon));
  }
  if (table->arms != arms) {
    throw Error(file.path,
                fmt::format("has losses of {} arms, expected {}, the number of arms of the graph",
                            table->arms, arms));
  }
}

std::unique_ptr<Losses> make_losses(const LossSource& source, std::size_t arms,
                                    const Stream& stream) {
  if (const auto* losses = std::get_if<LossesOfKind>(&source)) {
    return losses->kind->make(losses->options, arms, stream);
  }
  return losses::replayed(std::get<LossesInFile>(source).table);
}

}  // namespace hearsay
