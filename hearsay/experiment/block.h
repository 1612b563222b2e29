#pragma once

// The runs of one unit, advanced together: all of them are at the same round. Each has the bits it
// would have alone.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/experiment/plan.h"

namespace hearsay {

// A run at a point of its curve.
struct Record {
  double loss = 0;           // suffered so far
  double best_arm_loss = 0;  // of the best fixed arm in hindsight
  double bound = 0;          // of the regret, by the certificate; NaN: there is none
};

class Block {
 public:
  // `plan` outlives the block.
  Block(const Plan& plan, const Unit& unit);

  // Plays at most this many rounds more; fewer where the horizon is near.
  void advance(std::uint64_t rounds);

  std::uint64_t rounds() const { return rounds_; }
  bool is_done() const { return rounds_ == plan_->experiment().environment.horizon; }

  // Run after run, for each the points reached so far; room for the others.
  std::span<const Record> records() const { return records_; }

  // For a checkpoint. A block of the same unit that restores it goes on with the same bits.
  // Throws Error where the state is damaged or another unit's; the block is then good for nothing.
  std::string save() const;
  void restore(std::string_view state);

 private:
  struct Player {
    std::unique_ptr<Learner> learner;
    std::unique_ptr<Run> run;
  };

  Environment& environment_of(std::size_t player) const {
    return *environments_[environments_.size() == 1 ? 0 : player];
  }
  std::unique_ptr<Run> make_run(std::size_t player) const;
  void record();

  const Plan* plan_;
  Unit unit_;
  std::uint64_t rounds_ = 0;
  std::size_t points_ = 0;                                  // recorded so far
  std::vector<std::unique_ptr<Environment>> environments_;  // one for all, or each its own
  std::vector<Player> players_;
  std::vector<Record> records_;
};

}  // namespace hearsay
