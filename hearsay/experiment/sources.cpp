#include "hearsay/experiment/sources.h"

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/graph/files.h"

namespace hearsay {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

std::string read_unchanged(const DataFile& file) {
  std::string bytes = read_file(file.path);
  if (checksum_text(bytes) != file.checksum) {
    throw Error(file.path, fmt::format("has changed: its checksum is {}, expected {}",
                                       checksum_text(bytes), file.checksum));
  }
  return bytes;
}

}  // namespace

bool is_random(const GraphSource& source) {
  return std::holds_alternative<Uniform>(source) || std::holds_alternative<ErdosRenyi>(source);
}

Graph make_graph(const GraphSource& source, const Stream& stream, std::uint64_t round) {
  return std::visit(
      Overloaded{
          [](const Grid& grid) { return make_grid(grid); },
          [&](const Uniform& uniform) { return make_uniform(uniform, stream, round); },
          [&](const ErdosRenyi& random) { return make_erdos_renyi(random, stream, round); },
          [](const Cliques& cliques) { return make_cliques(cliques); },
          [](const Star& star) { return make_star(star.arms); },
          [](const Cycle& cycle) { return make_cycle(cycle.arms); },
          [](const Complete& complete) { return make_complete(complete.arms); },
          [](const Empty& empty) { return make_empty(empty.arms); },
          [](const Constant& constant) { return make_constant(constant); },
          [](const King& king) { return make_king(king.side); },
          [](const Hamming& hamming) { return make_hamming(hamming); },
          [](const Johnson& johnson) { return make_johnson(johnson); },
          [](const Keller& keller) { return make_keller(keller.dimension); },
          [](const DataFile& file) {
            return parse_graph(graph_format(file.path), read_unchanged(file), file.path);
          },
      },
      source);
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

std::unique_ptr<Losses> make_losses(const LossPlan& plan, std::size_t arms,
                                    std::shared_ptr<const losses::Table> in_file,
                                    const Stream& stream) {
  const auto with_arms = [arms](auto options) {
    options.arms = arms;
    return options;
  };
  return std::visit(
      Overloaded{
          [&](const losses::Walks& o) { return losses::walks(with_arms(o), stream); },
          [&](const losses::Bernoulli& o) { return losses::bernoulli(with_arms(o), stream); },
          [&](const losses::Switching& o) { return losses::switching(with_arms(o), stream); },
          [&](const losses::Trap& o) { return losses::trap(with_arms(o), stream); },
          [&](const losses::Adversary& o) { return losses::adversary(with_arms(o), stream); },
          [&](const DataFile&) { return losses::replayed(std::move(in_file)); },
      },
      plan);
}

}  // namespace hearsay
