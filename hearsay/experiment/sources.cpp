#include "hearsay/experiment/sources.h"

#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/graph/files.h"

namespace hearsay {
namespace {

std::string read_unchanged(const DataFile& file) {
  std::string bytes = read_file(file.path);
  if (const std::string found = checksum_text(bytes); found != file.checksum) {
    throw Error(file.path,
                fmt::format("has changed: its checksum is {}, expected {}", found, file.checksum));
  }
  return bytes;
}

Graph read_graph_file(const DataFile& file) {
  return parse_graph(graph_format(file.path), read_unchanged(file), file.path);
}

}  // namespace

bool is_random(const GraphSource& source) {
  const auto* graph = std::get_if<FamilyGraph>(&source);
  return graph != nullptr && graph->family->is_random;
}

Graph make_graph(const GraphSource& source, const Stream& stream, std::uint64_t round) {
  if (const auto* file = std::get_if<DataFile>(&source)) {
    return read_graph_file(*file);
  }
  const auto& graph = std::get<FamilyGraph>(source);
  return graph.family->make(graph.options, stream, round, 1);
}

std::size_t arms_of(const GraphSource& source) {
  if (const auto* file = std::get_if<DataFile>(&source)) {
    return read_graph_file(*file).arms();
  }
  const auto& graph = std::get<FamilyGraph>(source);
  return graph.family->arms(graph.options);
}

bool is_adaptive(const LossSource& source) {
  const auto* losses = std::get_if<LossesOfKind>(&source);
  return losses != nullptr && losses->kind->is_adaptive;
}

losses::Table read_losses(const DataFile& file, std::size_t arms, std::uint64_t horizon) {
  losses::Table table = losses::parse_table(read_unchanged(file), file.path);
  const std::size_t rounds = table.values.size() / table.arms;
  if (rounds < horizon) {
    throw Error(file.path,
                fmt::format("has {} rounds, expected at least the horizon, {}", rounds, horizon));
  }
  if (table.arms != arms) {
    throw Error(file.path, fmt::format("has losses of {} arms, expected {} as the graph has",
                                       table.arms, arms));
  }
  return table;
}

std::unique_ptr<Losses> make_losses(const LossSource& source, std::size_t arms,
                                    std::shared_ptr<const losses::Table> in_file,
                                    const Stream& stream) {
  if (const auto* losses = std::get_if<LossesOfKind>(&source)) {
    return losses->kind->make(losses->options, arms, stream);
  }
  return losses::replayed(std::move(in_file));
}

}  // namespace hearsay
