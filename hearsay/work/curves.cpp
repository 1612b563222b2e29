#include "hearsay/work/curves.h"

namespace hearsay {

Curves::Curves(const Plan& plan)
    : cells_(plan.cells().size()),
      repetitions_(plan.experiment().repetitions),
      points_per_run_(plan.points().size()),
      points_(first_point(plan.experiment().sequences, 0, 0)) {}

std::size_t Curves::first_point(std::size_t sequence, std::size_t cell,
                                std::size_t repetition) const {
  return ((sequence * cells_ + cell) * repetitions_ + repetition) * points_per_run_;
}

std::span<CurvePoint> Curves::of(const Unit& unit) {
  return std::span(points_).subspan(first_point(unit.sequence, unit.cell, unit.begin),
                                    unit.runs() * points_per_run_);
}

std::span<const CurvePoint> Curves::of(const Unit& unit) const {
  return std::span(points_).subspan(first_point(unit.sequence, unit.cell, unit.begin),
                                    unit.runs() * points_per_run_);
}

std::span<const CurvePoint> Curves::of(std::size_t sequence, std::size_t cell,
                                       std::size_t repetition) const {
  return std::span(points_).subspan(first_point(sequence, cell, repetition), points_per_run_);
}

}  // namespace hearsay
