#pragma once

// One learner against one environment, round by round, as the protocol of the paper has it: the
// environment fixes losses and graph, the learner draws, suffers, and is shown what its arm tells.

#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/learner.h"

namespace hearsay {

// Repetitions of one seed differ in the learner's draws and in the noise; two learners in the same
// repetition share both.
struct Luck {
  std::uint64_t seed = 1;
  std::uint64_t repetition = 0;
};

// Of one run of an experiment with several loss sequences, whatever the learner.
Luck luck_of(std::uint64_t seed, std::uint64_t sequence, std::uint64_t repetition);

// What a learner that must know the true losses is shown in place of the graph: every arm tells
// all. For other learners a graph that is not used.
Graph shown_to_oracles(Information information, std::size_t arms);

class Run {
 public:
  // Both outlive the run. Throws Error where their numbers of arms differ. The learner is shown
  // what its information() says and nothing more.
  Run(Environment& environment, Learner& learner, const Noise& noise, const Luck& luck);

  void step();
  void steps(std::uint64_t rounds);

  // As step(), in a round that the environment has just fixed: several runs may share it if the
  // environment is oblivious.
  void step(const Round& round);

  std::uint64_t rounds() const { return rounds_; }
  double loss() const { return loss_; }                               // suffered so far
  std::span<const double> arm_losses() const { return arm_losses_; }  // of always playing one arm
  double best_arm_loss() const;                                       // the least of those
  double regret() const { return loss_ - best_arm_loss(); }

  // The run's own part of a checkpoint: not the learner's, which has save() for it, nor the
  // environment's.
  void save(StateWriter& writer) const;
  void load(StateReader& reader);

 private:
  Environment& environment_;
  Learner& learner_;
  Informed* informed_;  // the learner, if it must see the graph before it draws
  Noise noise_;
  Stream draws_;
  Stream noise_stream_;
  std::uint64_t rounds_ = 0;
  double loss_ = 0;
  std::vector<double> arm_losses_;
  std::vector<Observation> observations_;
  Graph everything_;  // what an oracle is shown
};

}  // namespace hearsay
