#include "hearsay/play/curve_point.h"

namespace hearsay {

void save_points(StateWriter& writer, std::span<const CurvePoint> points) {
  for (const CurvePoint& point : points) {
    for (const auto figure : kCurveFigures) {
      writer.add(point.*figure);
    }
  }
}

void load_points(StateReader& reader, std::span<CurvePoint> points) {
  reader.require_room(points.size(), kCurveFigures.size() * sizeof(double));
  for (CurvePoint& point : points) {
    for (const auto figure : kCurveFigures) {
      point.*figure = reader.real();
    }
  }
}

}  // namespace hearsay
