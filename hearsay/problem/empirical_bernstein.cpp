#include "hearsay/problem/empirical_bernstein.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace hearsay {
namespace {

// The set of accepted r need not be an interval, so this many steps are tried before one is halved.
constexpr int kSteps = 32;
constexpr int kHalvings = 30;

// (-ln(1 - y) - y) / y^2 for y in [0, 1), which is 1/2 at 0.
double curvature(double y) {
  return y < 1e-4 ? 0.5 + y / 3 + y * y / 4 : (-std::log1p(-y) - y) / (y * y);
}

// The logarithm of the mean over the rates 1, 1/2, 1/4, ..., down to 1 / rounds, of
// exp(rate * sum - rate^2 * curvature(rate * range) * squares), where rates with
// rate * range >= 1 count as 0. Its exponential has a mean of at most 1 if no term lies below
// -range.
double log_mean_evidence(double sum, double squares, double range, std::uint64_t rounds) {
  const auto rates = static_cast<int>(std::bit_width(rounds));
  double largest = -std::numeric_limits<double>::infinity();
  const auto exponent = [&](int k) {
    const double rate = std::ldexp(1.0, -k);
    return rate * range < 1 ? rate * sum - rate * rate * curvature(rate * range) * squares
                            : -std::numeric_limits<double>::infinity();
  };
  for (int k = 0; k < rates; ++k) {
    largest = std::max(largest, exponent(k));
  }
  if (!(largest > 0)) {
    return 0;  // no evidence: the logarithm is at most 0
  }
  double total = 0;
  for (int k = 0; k < rates; ++k) {
    total += std::exp(exponent(k) - largest);
  }
  return largest + std::log(total / rates);
}

// The point nearest to `end` that `is_accepted` accepts, searched from `end` to `accepted`.
template <class IsAccepted>
double limit(double end, double accepted, const IsAccepted& is_accepted) {
  if (is_accepted(end)) {
    return end;
  }
  double outside = end;
  double inside = accepted;
  for (int step = 1; step < kSteps; ++step) {
    const double point = end + (accepted - end) * step / kSteps;
    if (is_accepted(point)) {
      inside = point;
      break;
    }
    outside = point;
  }
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (outside + inside) / 2;
    (is_accepted(middle) ? inside : outside) = middle;
  }
  return outside;  // the interval may be too wide, but not too narrow
}

}  // namespace

TermSums TermSums::with_unit_weights() const {
  const auto count = static_cast<double>(rounds);
  return {.rounds = rounds,
          .values = values,
          .weights = {count, 0},
          .squared_values = squared_values,
          .products = values,
          .squared_weights = {count, 0}};
}

// The largest (a + k x) / (1 + x^2) over x >= 0 is (a + sqrt(a^2 + k^2)) / 2.
double TermRange::below(double r) const {
  return self_normalised ? (r + std::hypot(r, noise_ratio)) / 2 * largest_weight
                         : r + noise_ratio / 2 * largest_weight;
}

double TermRange::above(double r) const {
  const double rest = self_normalised ? 1 - r : 1;
  const double largest = (rest + std::hypot(rest, noise_ratio)) / 2 * largest_weight;
  return self_normalised ? largest : std::max(0.0, largest - r);
}

Interval bernstein_interval(const TermSums& sums, const TermRange& range, double risk) {
  if (sums.rounds == 0) {
    return {};
  }
  const double threshold = -std::log(risk);
  const auto sum = [&](double r) { return sums.values.value() - r * sums.weights.value(); };
  const auto squares = [&](double r) {
    return std::max(0.0, sums.squared_values.value() - 2 * r * sums.products.value() +
                             r * r * sums.squared_weights.value());
  };
  const auto large_enough = [&](double r) {
    return log_mean_evidence(sum(r), squares(r), range.below(r), sums.rounds) < threshold;
  };
  const auto small_enough = [&](double r) {
    return log_mean_evidence(-sum(r), squares(r), range.above(r), sums.rounds) < threshold;
  };
  const double centre = sums.weights.value() > 0
                            ? std::clamp(sums.values.value() / sums.weights.value(), 0.0, 1.0)
                            : 0.5;
  return {.low = limit(0, centre, large_enough), .high = limit(1, centre, small_enough)};
}

Interval hoeffding_interval(double mean, std::uint64_t rounds, double risk) {
  const double width = std::sqrt(-std::log(risk) / (2 * static_cast<double>(rounds)));
  return {.low = std::max(0.0, mean - width), .high = std::min(1.0, mean + width)};
}

}  // namespace hearsay
