#pragma once

// Several runs of one learner in one oblivious environment, which differ in luck alone, advanced
// together. Each has the bits that Run gives it alone; together they take a fraction of the time.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/experiment/run.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

class LockstepRuns {
 public:
  // Whether runs of this learner can be: if the catalogue has it in lockstep, and unless it refuses
  // observations and some may be out of its range, as one run would then end and not the others.
  static bool can_run(const LearnerSpec& learner, const Noise& noise);

  // Three by themselves take no longer than a vector of them.
  static constexpr std::size_t kWorthwhile = 4;

  // One run for each of `luck`, at least one. Throws Error as make_learner does.
  LockstepRuns(const LearnerSpec& learner, const Noise& noise, std::span<const Luck> luck);

  // Plays a round that the environment has just fixed.
  void step(const Round& round);

  std::size_t runs() const { return learners_->runs(); }
  std::uint64_t rounds() const { return rounds_; }
  double loss(std::size_t run) const;                                 // suffered so far
  std::span<const double> arm_losses() const { return arm_losses_; }  // of always playing one arm
  double best_arm_loss() const;                                       // the least of those
  double regret(std::size_t run) const { return loss(run) - best_arm_loss(); }
  const LockstepLearners& learners() const { return *learners_; }

  // All but where the environment stands.
  void save(StateWriter& writer) const;
  void load(StateReader& reader);

 private:
  struct Group {
    std::vector<Stream> draws;
    std::vector<Stream> noise;
    Lanes loss;
    std::vector<std::vector<Observation>> observed;  // of each lane, on a sparse graph
  };

  std::unique_ptr<LockstepLearners> learners_;
  Noise noise_;
  std::uint64_t rounds_ = 0;
  std::vector<Group> groups_;
  std::vector<double> arm_losses_;
  std::vector<Lanes> observations_;
  Graph everything_;  // what an oracle is shown
};

}  // namespace hearsay
