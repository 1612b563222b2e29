#include "hearsay/environment/graph_sequence.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/graph/storage.h"

namespace hearsay {
namespace graphs {
namespace {

class Alternating final : public GraphSequence {
 public:
  Alternating(std::vector<Graph> graphs, std::uint64_t rounds_each)
      : graphs_(std::move(graphs)), rounds_each_(rounds_each) {}

  const Graph& next() override { return graphs_[round_++ / rounds_each_ % graphs_.size()]; }
  void restore(std::uint64_t rounds) override { round_ = rounds; }

 private:
  std::vector<Graph> graphs_;
  std::uint64_t rounds_each_;
  std::uint64_t round_ = 0;
};

class Redrawn final : public GraphSequence {
 public:
  explicit Redrawn(std::function<Graph(std::uint64_t)> make) : make_(std::move(make)) {}

  const Graph& next() override {
    graph_ = make_(round_ + 1);
    ++round_;
    return *graph_;
  }
  void restore(std::uint64_t rounds) override { round_ = rounds; }

 private:
  std::function<Graph(std::uint64_t)> make_;
  std::uint64_t round_ = 0;
  std::optional<Graph> graph_;
};

}  // namespace

std::unique_ptr<GraphSequence> fixed(Graph graph) {
  return std::make_unique<Alternating>(std::vector<Graph>{std::move(graph)}, 1);
}

std::unique_ptr<GraphSequence> alternating(std::vector<Graph> graphs, std::uint64_t rounds_each) {
  if (graphs.empty() || rounds_each == 0) {
    throw Error("graphs",
                fmt::format("alternating has {} graphs for {} rounds each, expected at least 1 of "
                            "both",
                            graphs.size(), rounds_each));
  }
  for (const Graph& graph : graphs) {
    if (graph.arms() != graphs.front().arms()) {
      throw Error("graphs",
                  fmt::format("one has {} arms, another {}, expected the same number of arms",
                              graphs.front().arms(), graph.arms()));
    }
  }
  return std::make_unique<Alternating>(std::move(graphs), rounds_each);
}

std::unique_ptr<GraphSequence> redrawn(std::function<Graph(std::uint64_t round)> make) {
  return std::make_unique<Redrawn>(std::move(make));
}

namespace {

// The number of an arc depends on its arms alone, so that the graph does not depend on the storage
// of the probabilities. Rows begin at even numbers, as Stream::fill_uniform needs.
Graph draw_arcs(const Graph& probabilities, const Stream& stream, std::uint64_t round) {
  const std::size_t arms = probabilities.arms();
  const std::uint64_t row_length = arms + arms % 2;
  std::vector<double> uniform(probabilities.is_dense() ? arms : 0);
  std::vector<std::size_t> row_begin = {0};
  std::vector<Arm> seen;
  for (Arm played = 0; played < arms; ++played) {
    const std::uint64_t first = played * row_length;
    stream.fill_uniform(round, uniform, first);
    probabilities.for_each_seen(played, [&](Arm arm, double probability) {
      const double u = uniform.empty() ? stream.uniform(round, first + arm) : uniform[arm];
      if (arm == played || u < probability) {
        seen.push_back(arm);
      }
    });
    row_begin.push_back(seen.size());
    note_work(1 + probabilities.weights().row(played).size());
  }
  auto weights = filled<double>(seen.size(), 1.0);
  return in_fitting_storage(
      Graph::sparse_rows(arms, std::move(row_begin), std::move(seen), std::move(weights)));
}

}  // namespace

std::unique_ptr<GraphSequence> drawn(const Graph& probabilities, const Stream& stream) {
  return redrawn([probabilities, stream](std::uint64_t round) {
    return draw_arcs(probabilities, stream, round);
  });
}

const FieldTable<Alternation>& Alternation::fields() {
  static const FieldTable<Alternation> table = {
      field("rounds_each", &Alternation::rounds_each, WholeRange{.low = 1},
            "consecutive rounds with the same graph"),
  };
  return table;
}

}  // namespace graphs

namespace {

struct NoOptions {
  static const FieldTable<NoOptions>& fields() {
    static const FieldTable<NoOptions> table = {};
    return table;
  }
};

}  // namespace

std::span<const GraphKind> graph_kinds() {
  static const std::array<GraphKind, 4> kinds = {{
      {{"fixed", "the same graph in every round", "docs/model.md"},
       GraphsTaken::one,
       NoOptions{},
       [](const GraphKindInput& input) { return graphs::fixed(input.graphs.front()); }},
      {{"alternating", "several graphs in turn", "docs/model.md"},
       GraphsTaken::several,
       graphs::Alternation{},
       [](const GraphKindInput& input) {
         return graphs::alternating(input.graphs,
                                    input.options.as<graphs::Alternation>().rounds_each);
       },
       [](const AnyOptions& options) { return options.as<graphs::Alternation>().rounds_each; }},
      {{"redrawn", "a new graph of a random family in every round", "docs/model.md"},
       GraphsTaken::random_family,
       NoOptions{},
       [](const GraphKindInput& input) { return graphs::redrawn(input.draw); }},
      {{"drawn", "in every round each arc exists, with weight 1, with its weight as probability",
        "Kocak, Neu, Valko, UAI 2016"},
       GraphsTaken::one,
       NoOptions{},
       [](const GraphKindInput& input) {
         return graphs::drawn(input.graphs.front(), input.stream);
       }},
  }};
  return kinds;
}

}  // namespace hearsay
