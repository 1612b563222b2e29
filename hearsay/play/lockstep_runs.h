#pragma once

// A group of runs in one environment that is not adaptive. They advance together in batches of
// sixteen, one run in each lane of a vector (LockstepLearners), and take a fraction of the time of
// separate runs.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/play/round.h"
#include "hearsay/play/run_group.h"

namespace hearsay {

class LockstepRuns final : public RunGroup {
 public:
  // False for an adaptive environment, for a learner without a lockstep engine (has_lockstep()),
  // and for a learner that refuses observations out of range where these can occur, because one run
  // would then end before the others.
  static bool can_run(const LearnerSpec& learner, const Noise& noise,
                      const Environment& environment);

  // Requires can_run(). Throws Error as make_learner does, and if the numbers of arms differ.
  LockstepRuns(const LearnerSpec& learner, const Noise& noise, std::span<const RunKey> keys,
               std::unique_ptr<Environment> environment);

  void play_round() override;
  CurvePoint point(std::size_t run) const override;
  void save(StateWriter& writer) const override;
  void load(StateReader& reader) override;

  const LockstepLearners& learners() const { return *learners_; }

 private:
  // Sixteen runs, one in each lane of a vector.
  struct Batch {
    std::vector<Stream> draws;
    std::vector<Stream> noise;
    Lanes loss;                                      // suffered so far
    std::vector<std::vector<Observation>> observed;  // by each lane, on a sparse graph
  };

  void draw_arms(const Round& round);
  void learn(const Round& round);

  std::unique_ptr<Environment> environment_;
  std::unique_ptr<LockstepLearners> learners_;
  Noise noise_;
  ShownGraph shown_graph_;
  std::uint64_t rounds_ = 0;
  ArmLosses arm_losses_;
  std::vector<Batch> batches_;
  std::vector<const LaneArms*> played_;  // by each batch in this round
  // Of one batch at a time, on a dense graph.
  std::vector<Lanes> weights_;
  std::vector<Lanes> observations_;
};

}  // namespace hearsay
