#include "hearsay/problem/calibration_checks.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/distributions.h"
#include "hearsay/base/interruption.h"
#include "hearsay/problem/calibration_weight.h"

namespace hearsay {
namespace {

constexpr std::size_t kMostRanges = 8;  // of losses
constexpr std::size_t kLeastForTrend = 24;

constexpr std::size_t kHoldOutEvery = 5;
constexpr std::size_t kLeastForHoldOut = 2 * kHoldOutEvery;

}  // namespace

std::vector<LossRange> ranges_of(const LinePoints& points, const FittedLine& line) {
  const std::size_t n = points.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, InterruptibleLess(), [&](std::size_t i) { return points.loss[i]; });
  std::vector<LossRange> ranges;
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin + std::max<std::size_t>(1, (n - begin) / (kMostRanges - ranges.size()));
    while (end < n && points.loss[order[end]] == points.loss[order[end - 1]]) {
      ++end;
    }
    const auto count = static_cast<double>(end - begin);
    CompensatedSum losses;
    CompensatedSum residuals;
    for (std::size_t k = begin; k < end; ++k) {
      losses.add(points.loss[order[k]]);
      residuals.add(line.residuals[order[k]]);
    }
    LossRange range{.pairs = end - begin,
                    .mean_loss = losses.value() / count,
                    .mean_residual = residuals.value() / count};
    if (line.spread > 0) {  // in units of the spread, so that squares do not underflow
      CompensatedSum squares;
      for (std::size_t k = begin; k < end; ++k) {
        squares.add(std::pow((line.residuals[order[k]] - range.mean_residual) / line.spread, 2));
      }
      range.spread = line.spread * std::sqrt(squares.value() / std::max(count - 1, 1.0));
    }
    ranges.push_back(range);
    begin = end;
  }
  return ranges;
}

// If P(|error| > x B) >= (1 - x)^2 for the bound B, and M <= B is the largest error, then
// P(|error| <= t) <= 1 - (1 - t / M)^2. The share of errors up to t exceeds P(|error| <= t) at any
// t by d with a probability of at most exp(-2 n d^2) (Dvoretzky, Kiefer, Wolfowitz and Massart).
double ends_p(const FittedLine& line) {
  if (line.kurtosis == 0 || line.residuals.size() < kLeastForTails) {
    return 1;  // the line of few pairs may go through most of them
  }
  std::vector<double> sizes;
  for (const double residual : line.residuals) {
    sizes.push_back(std::abs(residual));
  }
  std::ranges::sort(sizes, InterruptibleLess());
  const auto count = static_cast<double>(sizes.size());
  double excess = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double rest = 1 - sizes[i] / sizes.back();
    excess = std::max(excess, static_cast<double>(i + 1) / count - (1 - rest * rest));
  }
  return std::exp(-2 * count * excess * excess);
}

// An F test on the means of the residuals in the ranges of the group.
void test_trend(CalibratedGroup& group) {
  const std::size_t ranges = group.ranges.size();
  if (group.pairs < kLeastForTrend || group.kurtosis == 0 || ranges < 3) {
    return;  // a line through two means fits them
  }
  double between = 0;  // the sum of squares of the means
  for (const LossRange& range : group.ranges) {
    const double mean = range.mean_residual / group.spread;
    between += static_cast<double>(range.pairs) * mean * mean;
    group.trend = std::max(group.trend, std::abs(mean));
  }
  const auto numerator_degrees = static_cast<double>(ranges - 2);
  const auto denominator_degrees = static_cast<double>(group.pairs - ranges);
  const double within = static_cast<double>(group.pairs - 2) - between;
  group.trend_p = within > 0 ? f_tail(between / numerator_degrees / (within / denominator_degrees),
                                      numerator_degrees, denominator_degrees)
                             : 0;
}

// An F test of a line for each arc against one for all, among the arcs that have enough pairs for a
// line of their own.
void test_lines(CalibratedGroup& group, const LinePoints& points,
                std::span<const std::uint32_t> arcs) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, InterruptibleLess(), [&](std::size_t i) { return arcs[i]; });
  LinePoints used;
  std::vector<FittedLine> lines;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    LinePoints of_arc;
    for (; end < order.size() && arcs[order[end]] == arcs[order[begin]]; ++end) {
      note_work(1);
      of_arc.add(points.loss[order[end]], points.reading[order[end]]);
    }
    if (of_arc.size() >= kLeastPairs) {
      lines.push_back(fit_line(of_arc));
      for (std::size_t i = 0; i < of_arc.size(); ++i) {
        used.add(of_arc.loss[i], of_arc.reading[i]);
      }
    }
  }
  if (used.size() < kLeastForTrend || lines.size() < 2) {
    return;
  }
  const FittedLine common = fit_line(used);
  if (common.kurtosis == 0 || common.is_flat) {
    return;
  }
  CompensatedSum all;     // squares of the residuals of the common line, in units of its spread
  CompensatedSum within;  // of those of the arcs' lines
  std::size_t parameters = 0;
  std::vector<double> leverages;  // of the arcs' lines
  for (const FittedLine& line : lines) {
    parameters += line.is_flat ? 1 : 2;
    for (std::size_t i = 0; i < line.residuals.size(); ++i) {
      all.add(std::pow(common.residuals[leverages.size()] / common.spread, 2));
      within.add(std::pow(line.residuals[i] / common.spread, 2));
      leverages.push_back(line.leverages[i]);
    }
  }
  if (parameters <= 2) {
    return;
  }
  const auto count = static_cast<double>(used.size());
  const auto numerator_degrees = static_cast<double>(parameters - 2);
  const double denominator_degrees = count - static_cast<double>(parameters);
  const double between = std::max(0.0, all.value() - within.value());
  const double error = within.value() / denominator_degrees;
  // With tails heavier than those of a Gaussian the ratio varies more, where pairs have different
  // leverages; Box and Watson's correction of the degrees of freedom allows for it.
  CompensatedSum unequal;
  for (std::size_t i = 0; i < leverages.size(); ++i) {
    unequal.add(std::pow((leverages[i] - common.leverages[i]) / numerator_degrees -
                             (1 - leverages[i]) / denominator_degrees,
                         2));
  }
  const double factor = 1 + std::max(0.0, common.kurtosis - 3) * unequal.value() /
                                (2 / numerator_degrees + 2 / denominator_degrees);
  group.lines_p = error > 0 ? f_tail(between / numerator_degrees / error,
                                     numerator_degrees / factor, denominator_degrees / factor)
                            : 0;
  group.lines_apart = std::sqrt(std::max(0.0, between - numerator_degrees * error) / count);
}

HeldOut hold_out(const LinePoints& points, const CalibrationOptions& options) {
  if (points.size() < kLeastForHoldOut) {
    return {};
  }
  LinePoints used;
  LinePoints held;
  for (std::size_t i = 0; i < points.size(); ++i) {
    (i % kHoldOutEvery == kHoldOutEvery - 1 ? held : used).add(points.loss[i], points.reading[i]);
  }
  const FittedLine line = fit_line(used);
  const WeightLimits weights = weight_limits(line, options);
  if (weights.low == 0) {
    return {};
  }
  constexpr double kRoundedNoise = 1e-9;
  // Noise / noise bound = s / (1 - s) * error / slope / bound.
  const double factor = weights.low / std::max(1 - weights.low, kRoundedNoise) /
                        (line.slope * options.noise_bound.value_or(1));
  HeldOut result;
  result.pairs = held.size();
  CompensatedSum squares;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const double noise = factor * (held.reading[i] - line.offset - line.slope * held.loss[i]);
    squares.add(noise * noise);
    if (options.noise_bound && std::abs(noise) > 1 + kRoundedNoise) {
      ++result.beyond;
    }
  }
  const auto count = static_cast<double>(held.size());
  result.mean_square = squares.value() / count;
  // With probability 1 / (n + 1), a further error is larger than n others.
  result.allowed = count * std::max(1 - options.quantile, 1 / static_cast<double>(used.size() + 1));
  return result;
}

}  // namespace hearsay
