#pragma once

// The runs of one unit while they are played: the points recorded so far, and the state to save in
// a checkpoint.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/play/curve_point.h"
#include "hearsay/play/run_group.h"
#include "hearsay/work/plan.h"

namespace hearsay {

class UnitRuns {
 public:
  // At the first round. `plan` must outlive the object.
  UnitRuns(const Plan& plan, const Unit& unit);

  // Plays this many more rounds, or fewer if the horizon is reached before.
  void advance(std::uint64_t rounds);

  std::uint64_t rounds() const { return rounds_; }
  bool is_done() const { return rounds_ == plan_->experiment().environment.horizon; }

  // Run after run, for each a place for every point of the plan; those not reached are zero.
  std::span<const CurvePoint> points() const { return points_; }

  // Runs of the same unit that restore a saved state continue with the same bits. Throws Error if
  // the state is damaged or belongs to another unit; the object must then be discarded.
  std::string save() const;
  void restore(std::string_view state);

 private:
  void record_point();

  const Plan* plan_;
  Unit unit_;
  std::uint64_t rounds_ = 0;
  std::size_t recorded_ = 0;  // points of every run so far
  std::vector<CurvePoint> points_;
  std::unique_ptr<RunGroup> group_;
};

}  // namespace hearsay
