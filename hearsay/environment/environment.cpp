#include "hearsay/environment/environment.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

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

std::span<const CatalogueEntry> catalogue() {
  static constexpr std::array<CatalogueEntry, 4> kEntries = {{
      {"fixed", "the same graph in every round", "docs/model.md"},
      {"alternating", "several graphs in turn", "docs/model.md"},
      {"redrawn", "a new graph of a random family in every round", "docs/model.md"},
      {"drawn", "in every round each arc exists, with weight 1, with its weight as probability",
       "Kocak, Neu, Valko, UAI 2016"},
  }};
  return kEntries;
}

}  // namespace graphs

namespace {

// Learners and certificates rely on the range, and losses may be a user's own.
void check_losses(std::span<const double> losses, std::uint64_t round) {
  bool good = true;
  for (const double loss : losses) {
    good &= (loss >= 0) & (loss <= 1);
  }
  if (!good) {
    const auto wrong = std::ranges::find_if(losses, [](double x) { return !(x >= 0 && x <= 1); });
    throw Error("losses", fmt::format("round {}, arm {}: is {}, expected a number in [0, 1]", round,
                                      wrong - losses.begin(), *wrong));
  }
}

class LossesAndGraphs final : public Environment {
 public:
  LossesAndGraphs(std::unique_ptr<Losses> losses, std::unique_ptr<GraphSequence> graphs)
      : losses_(std::move(losses)),
        adaptive_(dynamic_cast<AdaptiveLosses*>(losses_.get())),
        graphs_(std::move(graphs)),
        current_(losses_->arms()) {}

  std::size_t arms() const override { return losses_->arms(); }
  bool is_adaptive() const override { return adaptive_ != nullptr; }

  Round next() override {
    const Graph& graph = graphs_->next();
    if (graph.arms() != arms()) {
      throw Error("graph", fmt::format("has {} arms, expected {}, the number of arms of the losses",
                                       graph.arms(), arms()));
    }
    losses_->next(current_);
    check_losses(current_, rounds_ + 1);
    ++rounds_;
    return {current_, graph};
  }

  void played(Arm arm) override {
    if (adaptive_ != nullptr) {
      adaptive_->played(arm);
    }
  }

  // The number of rounds, then the state of the losses.
  std::vector<double> save() const override {
    std::vector<double> state = losses_->save();
    state.insert(state.begin(), static_cast<double>(rounds_));
    return state;
  }
  void restore(std::span<const double> state) override {
    if (state.empty() || !(state[0] >= 0 && state[0] < 0x1p53)) {
      throw Error("environment",
                  "the state does not fit this environment, expected the numbers that save() "
                  "returned");
    }
    losses_->restore(state.subspan(1));
    rounds_ = static_cast<std::uint64_t>(state[0]);
    graphs_->restore(rounds_);
  }

 private:
  std::unique_ptr<Losses> losses_;
  AdaptiveLosses* adaptive_;  // the same losses if they are adaptive, else null
  std::unique_ptr<GraphSequence> graphs_;
  std::vector<double> current_;
  std::uint64_t rounds_ = 0;
};

}  // namespace

std::unique_ptr<Environment> make_environment(std::unique_ptr<Losses> losses,
                                              std::unique_ptr<GraphSequence> graphs) {
  return std::make_unique<LossesAndGraphs>(std::move(losses), std::move(graphs));
}

}  // namespace hearsay
