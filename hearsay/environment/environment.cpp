#include "hearsay/environment/environment.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {
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
