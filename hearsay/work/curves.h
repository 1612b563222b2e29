#pragma once

// The recorded curve of every run of a plan, indexed by sequence, cell and repetition.

#include <cstddef>
#include <span>
#include <vector>

#include "hearsay/play/curve_point.h"
#include "hearsay/work/plan.h"

namespace hearsay {

class Curves {
 public:
  // All points are zero at first.
  explicit Curves(const Plan& plan);

  // Run after run of the unit, for each its points in order.
  std::span<CurvePoint> of(const Unit& unit);
  std::span<const CurvePoint> of(const Unit& unit) const;

  // The points of one run, in order.
  std::span<const CurvePoint> of(std::size_t sequence, std::size_t cell,
                                 std::size_t repetition) const;

 private:
  std::size_t first_point(std::size_t sequence, std::size_t cell, std::size_t repetition) const;

  std::size_t cells_;
  std::size_t repetitions_;
  std::size_t points_per_run_;
  std::vector<CurvePoint> points_;
};

}  // namespace hearsay
