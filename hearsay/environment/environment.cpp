#include "hearsay/environment/environment.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"

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

class RedrawnSequence final : public GraphSequence {
 public:
  RedrawnSequence(const Redrawn& options, const Stream& stream)
      : options_(options), stream_(stream) {}

  const Graph& next() override {
    const std::size_t n = options_.arms;
    std::vector<double> weights(n * n);
    stream_.fill_uniform(++round_, weights);
    for (double& weight : weights) {
      weight = options_.low + (options_.high - options_.low) * weight;
    }
    for (std::size_t i = 0; i < n; ++i) {
      weights[i * n + i] = 1;
    }
    graph_ = Graph::dense(n, std::move(weights));
    return *graph_;
  }
  void restore(std::uint64_t rounds) override { round_ = rounds; }

 private:
  Redrawn options_;
  Stream stream_;
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
                "alternating between none, expected at least one graph for at least one round");
  }
  for (const Graph& graph : graphs) {
    if (graph.arms() != graphs.front().arms()) {
      throw Error("graphs", fmt::format("one has {} arms, another {}, expected all of one size",
                                        graphs.front().arms(), graph.arms()));
    }
  }
  return std::make_unique<Alternating>(std::move(graphs), rounds_each);
}

std::unique_ptr<GraphSequence> redrawn(const Redrawn& options, const Stream& stream) {
  if (options.arms == 0 ||
      !(0 <= options.low && options.low <= options.high && options.high <= 1)) {
    throw Error("graphs",
                fmt::format("{} arms with weights in [{}, {}], expected at least one arm and "
                            "0 <= low <= high <= 1",
                            options.arms, options.low, options.high));
  }
  return std::make_unique<RedrawnSequence>(options, stream);
}

std::span<const CatalogueEntry> catalogue() {
  static constexpr std::array<CatalogueEntry, 3> kEntries = {{
      {"fixed", "one graph that stays", "docs/model.md"},
      {"alternating", "several graphs in turn", "docs/model.md"},
      {"redrawn", "directed uniform weights, drawn anew every round", "docs/model.md"},
  }};
  return kEntries;
}

}  // namespace graphs

namespace {

class LossesAndGraphs final : public Environment {
 public:
  LossesAndGraphs(std::unique_ptr<Losses> losses, std::unique_ptr<GraphSequence> graphs)
      : losses_(std::move(losses)), graphs_(std::move(graphs)), current_(losses_->arms()) {}

  std::size_t arms() const override { return losses_->arms(); }

  Round next() override {
    const Graph& graph = graphs_->next();
    if (graph.arms() != arms()) {
      throw Error("graph",
                  fmt::format("has {} arms, expected {} as the losses have", graph.arms(), arms()));
    }
    losses_->next(current_);
    ++rounds_;
    return {current_, graph};
  }

  void played(Arm arm) override { losses_->played(arm); }

  // The rounds, then the losses' own.
  std::vector<double> save() const override {
    std::vector<double> state = losses_->save();
    state.insert(state.begin(), static_cast<double>(rounds_));
    return state;
  }
  void restore(std::span<const double> state) override {
    if (state.empty() || !(state[0] >= 0 && state[0] < 0x1p53)) {
      throw Error("environment", "a state of another, expected one that save() gave");
    }
    losses_->restore(state.subspan(1));
    rounds_ = static_cast<std::uint64_t>(state[0]);
    graphs_->restore(rounds_);
  }

 private:
  std::unique_ptr<Losses> losses_;
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
