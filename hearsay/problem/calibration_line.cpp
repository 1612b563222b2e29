#include "hearsay/problem/calibration_line.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

constexpr double kLeastLossSpread = 1e-9;       // below it all outcomes count as equal
constexpr double kLeastReadingSpread = 1e-250;  // below it all readings count as equal

// Residuals below this part of the largest difference of a reading from the mean are rounding
// errors.
constexpr double kRelativeRounding = 1e-12;

double sum_of(std::span<const double> terms) {
  CompensatedSum sum;
  for (const double term : terms) {
    sum.add(term);
  }
  return sum.value();
}

}  // namespace

FittedLine fit_line(const LinePoints& points) {
  const std::size_t n = points.size();
  const auto count = static_cast<double>(n);
  note_work(n);
  FittedLine line;
  const double mean_loss = sum_of(points.loss) / count;
  const double mean_reading = sum_of(points.reading) / count;
  const auto [lowest, highest] = std::ranges::minmax(points.loss);
  double scale = 0;  // of the readings, so that squares neither overflow nor underflow
  for (const double reading : points.reading) {
    scale = std::max(scale, std::abs(reading - mean_reading));
  }
  if (scale < kLeastReadingSpread) {
    scale = 0;
  }
  line.is_flat = !(highest - lowest > kLeastLossSpread);
  const auto x = [&](std::size_t i) { return points.loss[i] - mean_loss; };
  const auto y = [&](std::size_t i) {
    return scale > 0 ? (points.reading[i] - mean_reading) / scale : 0;
  };
  CompensatedSum squares;
  CompensatedSum products;
  for (std::size_t i = 0; i < n; ++i) {
    squares.add(x(i) * x(i));
    products.add(x(i) * y(i));
  }
  note_work(n);
  const double slope = line.is_flat ? 0 : products.value() / squares.value();
  CompensatedSum squared_residuals;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = y(i) - slope * x(i);
    squared_residuals.add(residual * residual);
    line.residuals.push_back(residual * scale);
    line.leverages.push_back(1 / count + (line.is_flat ? 0 : x(i) * x(i) / squares.value()));
  }
  note_work(n);
  const double spread =
      n > 2 ? std::sqrt(squared_residuals.value() / static_cast<double>(n - 2)) : 0;
  if (spread > kRelativeRounding) {
    CompensatedSum fourth;
    for (const double residual : line.residuals) {
      fourth.add(std::pow(residual / (scale * spread), 4));
    }
    const double second = squared_residuals.value() / (spread * spread);
    line.kurtosis = count * fourth.value() / (second * second);
  }
  line.slope = slope * scale;
  line.offset = mean_reading - line.slope * mean_loss;
  line.spread = spread * scale;
  line.slope_error = line.is_flat ? 0 : line.spread / std::sqrt(squares.value());
  return line;
}

}  // namespace hearsay
