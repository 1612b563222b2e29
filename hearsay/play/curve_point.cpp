#include "hearsay/play/curve_point.h"

#include <limits>

namespace hearsay {

double bound_of(const std::optional<Certificate>& certificate) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return certificate ? certificate->regret_bound.value_or(kNone) : kNone;
}

void save_points(StateWriter& writer, std::span<const CurvePoint> points) {
  for (const CurvePoint& point : points) {
    for (const auto value : kCurveValues) {
      writer.add(point.*value);
    }
  }
}

void load_points(StateReader& reader, std::span<CurvePoint> points) {
  reader.require_room(points.size(), kCurveValues.size() * sizeof(double));
  for (CurvePoint& point : points) {
    for (const auto value : kCurveValues) {
      point.*value = reader.real();
    }
  }
}

}  // namespace hearsay
