#pragma once

// One learner in one environment, round by round: the environment fixes the losses and the graph,
// the learner draws an arm, suffers its loss and is shown the observations of that arm.

#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/learner.h"
#include "hearsay/play/curve_point.h"
#include "hearsay/play/round.h"

namespace hearsay {

// Determines what is random about a run besides its environment: the learner's draws and the noise.
// Runs of different learners with the same key draw with the same random numbers and have the same
// noise.
struct RunKey {
  std::uint64_t seed = 1;
  std::uint64_t sequence = 0;    // of losses and graphs; less than 2^32
  std::uint64_t repetition = 0;  // on that sequence; less than 2^32

  Stream draws() const { return stream(Purpose::draw); }
  Stream noise() const { return stream(Purpose::noise); }

 private:
  Stream stream(Purpose purpose) const { return {seed, purpose, sequence << 32U | repetition}; }
};

class Run {
 public:
  // Environment and player must outlive the run. Throws Error if their numbers of arms differ. The
  // player is shown what its information() says and nothing more.
  Run(RoundSource& environment, Player& player, const Noise& noise, const RunKey& key);

  void step();
  void steps(std::uint64_t rounds);

  // Plays a round that the environment has just fixed. Several runs can share it if the environment
  // is not adaptive.
  void step(const Round& round);

  std::uint64_t rounds() const { return rounds_; }
  double loss() const { return loss_; }  // suffered so far
  std::span<const double> arm_losses() const { return arm_losses_.totals(); }
  double best_arm_loss() const { return arm_losses_.best(); }
  double regret() const { return loss_ - best_arm_loss(); }
  CurvePoint point() const;

  // The state of the run without the player and the environment, which are saved separately.
  void save(StateWriter& writer) const;
  void load(StateReader& reader);

 private:
  RoundSource& environment_;
  Player& player_;
  Informed* informed_;  // the player, if it must see the graph before it draws
  Noise noise_;
  Stream draws_;
  Stream noise_stream_;
  ShownGraph shown_graph_;
  std::uint64_t rounds_ = 0;
  double loss_ = 0;
  ArmLosses arm_losses_;
  std::vector<Observation> observations_;
};

}  // namespace hearsay
