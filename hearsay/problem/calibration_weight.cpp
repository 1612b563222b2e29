#include "hearsay/problem/calibration_weight.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "hearsay/base/distributions.h"
#include "hearsay/base/interruption.h"

namespace hearsay {
namespace {

// A weight depends on two estimates, the slope and the size of the residuals. The limit of each may
// fail with half of the probability with which the limit of the weight may fail.
constexpr double kRiskOfEachLimit = (1 - kCalibrationConfidence) / 2;

// By how much quantile * count may exceed a whole number because of rounding.
constexpr double kRankTolerance = 1e-12;

constexpr double kLeastFreedom = 1e-6;  // of a residual: 1 - leverage

// s with s / (1 - s) * error = bound: the error of a reading, in units of the loss, becomes noise
// of that size.
double weight_for(double error, double bound) {
  return error > 0 ? bound / (bound + error) : 1;
}

// The k-th smallest, k from 1 on.
double order_statistic(std::vector<double> values, std::size_t k) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::ranges::nth_element(values, place, InterruptibleLess());
  return *place;
}

// The smallest k from 1 to n for which P(at most k - 1 of n succeed) >= level; n + 1 if there is
// none.
std::size_t binomial_rank(std::size_t n, double probability, double level) {
  std::size_t low = 1;
  std::size_t high = n + 1;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (binomial_at_most(middle - 1, n, probability) >= level) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

// An interval for the size of the errors: their bound or quantile, or their standard deviation.
struct SizeLimits {
  double low = 0;
  double high = 0;
};

SizeLimits spread_limits(const FittedLine& line) {
  // With tails heavier than those of a Gaussian the variance of the variance is larger; Box's
  // correction of the degrees of freedom allows for it.
  const double degrees = static_cast<double>(line.residuals.size() - 2) *
                         (line.kurtosis > 3 ? 2 / (line.kurtosis - 1) : 1);
  const auto limit = [&](double probability) {
    return line.spread * std::sqrt(degrees / chi_square_quantile(probability, degrees));
  };
  return {limit(1 - kRiskOfEachLimit), limit(kRiskOfEachLimit)};
}

// How much larger than the largest of n errors their bound B may be, with confidence
// 1 - kRiskOfEachLimit. If P(|error| > x B) >= (1 - x)^2, all are below x B with a probability of
// at most (1 - (1 - x)^2)^n, which is kRiskOfEachLimit at 1 / x = this factor.
double bound_over_largest(std::size_t n) {
  return 1 / (1 - std::sqrt(-std::expm1(std::log(kRiskOfEachLimit) / static_cast<double>(n))));
}

SizeLimits bound_limits(const FittedLine& line, double quantile) {
  const std::size_t n = line.residuals.size();
  // The band of Working and Hotelling, in which the line lies at all losses at once. Quantiles of
  // the F distribution with two degrees of freedom in the numerator have a closed form.
  const auto degrees = static_cast<double>(n - 2);
  const double band =
      line.spread * std::sqrt(degrees * std::expm1(-2 / degrees * std::log(kRiskOfEachLimit)));
  std::vector<double> from_others;  // the error of each reading against the line of the others
  std::vector<double> certain;      // the part that remains if the line is off as far as it may be
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::abs(line.residuals[i]);
    from_others.push_back(size / std::max(1 - line.leverages[i], kLeastFreedom));
    certain.push_back(std::max(0.0, size - band * std::sqrt(line.leverages[i])));
  }
  const std::size_t upper = binomial_rank(n, quantile, 1 - kRiskOfEachLimit);
  const std::size_t lower = quantile < 1 ? binomial_rank(n, quantile, kRiskOfEachLimit) - 1 : n;
  SizeLimits limits;
  limits.low = lower > 0 ? order_statistic(certain, lower) : 0;
  limits.high = upper <= n ? order_statistic(from_others, upper)
                           : *std::ranges::max_element(from_others) * bound_over_largest(n);
  return limits;
}

}  // namespace

double residual_bound(const FittedLine& line, double quantile) {
  std::vector<double> sizes;
  for (const double residual : line.residuals) {
    sizes.push_back(std::abs(residual));
  }
  const auto rank = static_cast<std::size_t>(
      std::ceil(quantile * static_cast<double>(sizes.size()) - kRankTolerance));
  return order_statistic(std::move(sizes), std::max<std::size_t>(rank, 1));
}

WeightLimits weight_limits(const FittedLine& line, const CalibrationOptions& options) {
  const std::size_t n = line.residuals.size();
  if (line.is_flat) {
    return {.no_weight = kEqualOutcomes};
  }
  if (n < kLeastPairs) {
    return {.no_weight = kFewPairs};
  }
  const double student = student_quantile(1 - kRiskOfEachLimit, static_cast<double>(n - 2));
  const double slope = std::abs(line.slope);
  const double low_slope = slope - student * line.slope_error;
  const double high_slope = slope + student * line.slope_error;
  const double bound = options.noise_bound.value_or(1);
  const double size = options.noise_bound ? residual_bound(line, options.quantile) : line.spread;
  WeightLimits weights;
  if (slope > 0) {
    weights.estimate = weight_for(size / slope, bound);
  }
  const SizeLimits limits =
      options.noise_bound ? bound_limits(line, options.quantile) : spread_limits(line);
  if (high_slope > 0) {
    weights.high = weight_for(limits.low / high_slope, bound);
  }
  if (low_slope > 0) {
    weights.low = weight_for(limits.high / low_slope, bound);
  }
  if (weights.low == 0) {
    weights.no_weight = kNoSlope;
  }
  return weights;
}

}  // namespace hearsay
