#include "hearsay/experiment/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {

Luck luck_of(std::uint64_t seed, std::uint64_t sequence, std::uint64_t repetition) {
  return {seed, sequence << 32U | repetition};
}

Graph shown_to_oracles(Information information, std::size_t arms) {
  return information == Information::true_losses
             ? Graph::dense(arms, std::vector<double>(arms * arms, 1.0))
             : Graph::sparse(1, {});
}

Run::Run(Environment& environment, Learner& learner, const Noise& noise, const Luck& luck)
    : environment_(environment),
      learner_(learner),
      informed_(informed_of(learner)),
      noise_(noise),
      draws_(luck.seed, Purpose::draw, luck.repetition),
      noise_stream_(luck.seed, Purpose::noise, luck.repetition),
      arm_losses_(environment.arms()),
      everything_(shown_to_oracles(learner.information(), learner.arms())) {
  if (environment.arms() != learner.arms()) {
    throw Error(fmt::format("a learner of {} arms in an environment of {}", learner.arms(),
                            environment.arms()));
  }
}

void Run::step() {
  step(environment_.next());
}

void Run::step(const Round& round) {
  ++rounds_;
  if (informed_ != nullptr) {
    informed_->see_graph(round.graph);
  }
  const Decision decision = learner_.choose(draws_);
  loss_ += round.losses[decision.arm];
  std::ranges::transform(arm_losses_, round.losses, arm_losses_.begin(), std::plus<>());

  const bool oracle = learner_.information() == Information::true_losses;
  const Graph& shown = oracle ? everything_ : round.graph;
  reveal(shown, decision.arm, round.losses, noise_, noise_stream_, rounds_, observations_);
  learner_.observe(decision, shown, {decision.arm, observations_});
  environment_.played(decision.arm);
}

void Run::steps(std::uint64_t rounds) {
  for (std::uint64_t i = 0; i < rounds; ++i) {
    step();
  }
}

double Run::best_arm_loss() const {
  return std::ranges::min(arm_losses_);
}

void Run::save(StateWriter& writer) const {
  writer.add(rounds_);
  writer.add(loss_);
  for (const double loss : arm_losses_) {
    writer.add(loss);
  }
}

void Run::load(StateReader& reader) {
  rounds_ = reader.number();
  loss_ = reader.real();
  std::ranges::generate(arm_losses_, [&] { return reader.real(); });
}

}  // namespace hearsay
