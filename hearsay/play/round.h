#pragma once

// The parts of a round that are the same for a single run (Run) and for runs in lockstep
// (LockstepRuns).

#include <cstddef>
#include <span>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/environment/environment.h"
#include "hearsay/learner/learner.h"

namespace hearsay {

// Throws Error unless the learner has as many arms as the environment.
void require_same_arms(std::size_t learner_arms, std::size_t environment_arms);

// The state of an environment among other saved state.
void save_environment(StateWriter& writer, const Environment& environment);
void load_environment(StateReader& reader, Environment& environment);

// The total loss of every arm, as if it had been played in all rounds.
class ArmLosses {
 public:
  explicit ArmLosses(std::size_t arms) : totals_(arms) {}

  void add(std::span<const double> losses);  // of one round
  std::span<const double> totals() const { return totals_; }
  double best() const;  // the least total: that of the best fixed arm in hindsight

  void save(StateWriter& writer) const;
  void load(StateReader& reader);

 private:
  std::vector<double> totals_;
};

// The graph in which every arm shows every arm exactly, for learners that must be shown every true
// loss.
Graph all_shown(std::size_t arms);

// The graph that a learner is shown in a round: that of the environment, or all_shown().
class ShownGraph {
 public:
  ShownGraph(Information information, std::size_t arms);

  const Graph& of(const Round& round) const { return sees_all_ ? all_ : round.graph; }

 private:
  bool sees_all_;
  Graph all_;
};

}  // namespace hearsay
