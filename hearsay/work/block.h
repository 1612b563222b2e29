#pragma once

// The runs of one unit on their way to the horizon: what they have recorded so far, and where they
// stand, for a checkpoint.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/state.h"
#include "hearsay/play/curve_point.h"
#include "hearsay/play/run_group.h"
#include "hearsay/work/plan.h"

namespace hearsay {

// Which runs a saved state is of. Throws Error where they are not this unit's.
void write_unit(StateWriter& writer, const Unit& unit);
void require_unit(StateReader& reader, const Unit& unit);

class Block {
 public:
  // `plan` outlives the block.
  Block(const Plan& plan, const Unit& unit);

  // Plays at most this many rounds more; fewer where the horizon is near.
  void advance(std::uint64_t rounds);

  std::uint64_t rounds() const { return rounds_; }
  bool is_done() const { return rounds_ == plan_->experiment().environment.horizon; }

  // Run after run, for each the points reached so far; room for the others.
  std::span<const CurvePoint> records() const { return records_; }

  // For a checkpoint. A block of the same unit that restores it goes on with the same bits.
  // Throws Error where the state is damaged or another unit's; the block is then good for nothing.
  std::string save() const;
  void restore(std::string_view state);

 private:
  void record();

  const Plan* plan_;
  Unit unit_;
  std::uint64_t rounds_ = 0;
  std::size_t points_ = 0;  // recorded so far
  std::vector<CurvePoint> records_;
  std::unique_ptr<RunGroup> group_;
};

}  // namespace hearsay
