#include "hearsay/play/run.h"

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {

Run::Run(RoundSource& environment, Player& player, const Noise& noise, const RunKey& key)
    : environment_(environment),
      player_(player),
      informed_(informed_of(player)),
      noise_(noise),
      draws_(key.draws()),
      noise_stream_(key.noise()),
      shown_graph_(player.information(), player.arms()),
      arm_losses_(environment.arms()) {
  require_same_arms(player.arms(), environment.arms());
}

void Run::step() {
  step(environment_.next());
}

// LockstepRuns::play_round does the same for many runs.
void Run::step(const Round& round) {
  ++rounds_;
  if (informed_ != nullptr) {
    informed_->see_graph(round.graph);
  }
  const Decision decision = player_.choose(draws_);
  if (decision.arm >= round.losses.size()) {
    throw Error("learner", fmt::format("plays arm {}, expected an arm below {}", decision.arm,
                                       round.losses.size()));
  }
  loss_ += round.losses[decision.arm];
  arm_losses_.add(round.losses);

  const Graph& shown = shown_graph_.of(round);
  reveal(shown, decision.arm, round.losses, noise_, noise_stream_, rounds_, observations_);
  player_.observe(decision, shown, {decision.arm, observations_});
  environment_.played(decision.arm);
}

void Run::steps(std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    step();
  }
}

CurvePoint Run::point() const {
  return {loss_, best_arm_loss(), bound_of(certificate_of(player_))};
}

void Run::save(StateWriter& writer) const {
  writer.add(rounds_);
  writer.add(loss_);
  arm_losses_.save(writer);
}

void Run::load(StateReader& reader) {
  rounds_ = reader.number();
  loss_ = reader.real();
  arm_losses_.load(reader);
}

}  // namespace hearsay
