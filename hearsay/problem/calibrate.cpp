#include "hearsay/problem/calibrate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/distributions.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/storage.h"

namespace hearsay {
namespace {

// A weight depends on two estimates, the slope and the size of the residuals. The limit of each may
// fail with half of the probability with which the limit of the weight may fail.
constexpr double kRiskOfEachLimit = (1 - kCalibrationConfidence) / 2;

constexpr double kLargestNoiseBound = 1e100;
constexpr double kLeastLossSpread = 1e-9;       // below it all outcomes count as equal
constexpr double kLeastReadingSpread = 1e-250;  // below it all readings count as equal
constexpr double kRelativeRounding =
    1e-12;                              // smaller residuals, next to the readings, are rounding
constexpr double kLeastFreedom = 1e-6;  // of a residual: 1 - leverage

constexpr std::size_t kHoldOutEvery = 5;
constexpr std::size_t kLeastForHoldOut = 2 * kHoldOutEvery;

// The tests of the model.
constexpr std::size_t kMostRanges = 8;  // of losses
constexpr std::size_t kLeastForTrend = 24;
constexpr std::size_t kLeastForTails = 50;
constexpr double kSignificance = 0.001;
constexpr double kNotableBias = 0.1;  // of the spread
constexpr double kHeavyKurtosis = 6;  // that of the Laplace law

double sum_of(std::span<const double> terms) {
  CompensatedSum sum;
  for (const double term : terms) {
    sum.add(term);
  }
  return sum.value();
}

// The pairs of a group.
struct Points {
  std::vector<double> loss;
  std::vector<double> reading;

  std::size_t size() const { return loss.size(); }
  void add(double x, double y) {
    loss.push_back(x);
    reading.push_back(y);
  }
};

// A line by ordinary least squares. Sums are over differences from the means, and compensated.
struct Line {
  double offset = 0;
  double slope = 0;
  double slope_error = 0;
  double spread = 0;    // of the residuals, with n - 2 degrees of freedom
  double kurtosis = 0;  // 0: the residuals are nothing but rounding
  bool is_flat = true;  // the losses do not differ
  std::vector<double> residuals;
  std::vector<double> leverages;
};

Line fit_line(const Points& points) {
  const std::size_t n = points.size();
  const auto count = static_cast<double>(n);
  Line line;
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
  const double slope = line.is_flat ? 0 : products.value() / squares.value();
  CompensatedSum squared_residuals;
  for (std::size_t i = 0; i < n; ++i) {
    const double residual = y(i) - slope * x(i);
    squared_residuals.add(residual * residual);
    line.residuals.push_back(residual * scale);
    line.leverages.push_back(1 / count + (line.is_flat ? 0 : x(i) * x(i) / squares.value()));
  }
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

// s with s / (1 - s) * error = bound: the error of a reading, in units of the loss, becomes noise
// of that size.
double weight_for(double error, double bound) {
  return error > 0 ? bound / (bound + error) : 1;
}

// The k-th smallest, k from 1 on.
double order_statistic(std::vector<double> values, std::size_t k) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::ranges::nth_element(values, place);
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

SizeLimits spread_limits(const Line& line) {
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
// 1 - kRiskOfEachLimit. If
// P(|error| > x B) >= (1 - x)^2, all are below x B with a probability of at most
// (1 - (1 - x)^2)^n, which is kRiskOfEachLimit at 1 / x = this factor.
double bound_over_largest(std::size_t n) {
  return 1 / (1 - std::sqrt(-std::expm1(std::log(kRiskOfEachLimit) / static_cast<double>(n))));
}

// Under that condition and with M <= B the largest error, P(|error| <= t) <= 1 - (1 - t / M)^2. The
// share of errors up to t exceeds P(|error| <= t) at any t by d with a probability of at most
// exp(-2 n d^2) (Dvoretzky, Kiefer, Wolfowitz and Massart).
double ends_p(const Line& line) {
  if (line.kurtosis == 0 || line.residuals.size() < kLeastForTails) {
    return 1;  // the line of few pairs may go through most of them
  }
  std::vector<double> sizes;
  for (const double residual : line.residuals) {
    sizes.push_back(std::abs(residual));
  }
  std::ranges::sort(sizes);
  const auto count = static_cast<double>(sizes.size());
  double excess = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double rest = 1 - sizes[i] / sizes.back();
    excess = std::max(excess, static_cast<double>(i + 1) / count - (1 - rest * rest));
  }
  return std::exp(-2 * count * excess * excess);
}

SizeLimits bound_limits(const Line& line, double quantile) {
  const std::size_t n = line.residuals.size();
  // The band of Working and Hotelling, in which the line lies at all losses at once. Quantiles of
  // the F law with two degrees of freedom above have a closed form.
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

struct Weights {
  double low = 0;
  double estimate = 0;
  double high = 0;
  std::string none = {};  // why `low` is 0
};

double residual_bound(const Line& line, double quantile) {
  std::vector<double> sizes;
  for (const double residual : line.residuals) {
    sizes.push_back(std::abs(residual));
  }
  const auto rank = static_cast<std::size_t>(
      std::ceil(quantile * static_cast<double>(sizes.size()) - kRelativeRounding));
  return order_statistic(std::move(sizes), std::max<std::size_t>(rank, 1));
}

Weights weights_of(const Line& line, const CalibrationOptions& options) {
  const std::size_t n = line.residuals.size();
  if (line.is_flat) {
    return {.none = "the outcomes are all equal"};
  }
  if (n < kLeastPairs) {
    return {.none = fmt::format("there are fewer than {} pairs", kLeastPairs)};
  }
  const double student = student_quantile(1 - kRiskOfEachLimit, static_cast<double>(n - 2));
  const double slope = std::abs(line.slope);
  const double low_slope = slope - student * line.slope_error;
  const double high_slope = slope + student * line.slope_error;
  const double bound = options.noise_bound.value_or(1);
  const double size = options.noise_bound ? residual_bound(line, options.quantile) : line.spread;
  Weights weights;
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
    weights.none = "the slope is not distinguishable from 0";
  }
  return weights;
}

std::vector<LossRange> ranges_of(const Points& points, const Line& line) {
  const std::size_t n = points.size();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return points.loss[i]; });
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
  const auto above = static_cast<double>(ranges - 2);
  const auto below = static_cast<double>(group.pairs - ranges);
  const double within = static_cast<double>(group.pairs - 2) - between;
  group.trend_p = within > 0 ? f_tail(between / above / (within / below), above, below) : 0;
}

// An F test of a line for each arc against one for all, among the arcs that have enough pairs for a
// line of their own. `arcs`: that of each point.
void test_lines(CalibratedGroup& group, const Points& points, std::span<const std::uint32_t> arcs) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return arcs[i]; });
  Points used;
  std::vector<Line> lines;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    Points of_arc;
    for (; end < order.size() && arcs[order[end]] == arcs[order[begin]]; ++end) {
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
  const Line common = fit_line(used);
  if (common.kurtosis == 0 || common.is_flat) {
    return;
  }
  CompensatedSum all;     // squares of the residuals of the common line, in units of its spread
  CompensatedSum within;  // of those of the arcs' lines
  std::size_t parameters = 0;
  std::vector<double> leverages;  // of the arcs' lines
  for (const Line& line : lines) {
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
  const auto above = static_cast<double>(parameters - 2);
  const double below = count - static_cast<double>(parameters);
  const double between = std::max(0.0, all.value() - within.value());
  const double error = within.value() / below;
  // With tails heavier than those of a Gaussian the ratio varies more, where pairs have different
  // leverages; Box and Watson's correction of the degrees of freedom allows for it.
  CompensatedSum unequal;
  for (std::size_t i = 0; i < leverages.size(); ++i) {
    unequal.add(
        std::pow((leverages[i] - common.leverages[i]) / above - (1 - leverages[i]) / below, 2));
  }
  const double factor =
      1 + std::max(0.0, common.kurtosis - 3) * unequal.value() / (2 / above + 2 / below);
  group.lines_p = error > 0 ? f_tail(between / above / error, above / factor, below / factor) : 0;
  group.lines_apart = std::sqrt(std::max(0.0, between - above * error) / count);
}

HeldOut hold_out(const Points& points, const CalibrationOptions& options) {
  if (points.size() < kLeastForHoldOut) {
    return {};
  }
  Points used;
  Points held;
  for (std::size_t i = 0; i < points.size(); ++i) {
    (i % kHoldOutEvery == kHoldOutEvery - 1 ? held : used).add(points.loss[i], points.reading[i]);
  }
  const Line line = fit_line(used);
  const Weights weights = weights_of(line, options);
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
  // One more error is the largest of n + 1 with this probability.
  result.allowed = count * std::max(1 - options.quantile, 1 / static_cast<double>(used.size() + 1));
  return result;
}

// `arcs`: that of each point.
CalibratedGroup calibrate_group(std::string name, const Points& points,
                                std::span<const std::uint32_t> arcs,
                                const CalibrationOptions& options) {
  const Line line = fit_line(points);
  Weights weights = weights_of(line, options);
  CalibratedGroup group;
  group.name = std::move(name);
  group.pairs = points.size();
  group.offset = line.offset;
  group.slope = line.slope;
  group.slope_error = line.slope_error;
  group.spread = line.spread;
  group.residual_bound = residual_bound(line, options.quantile);
  group.beyond = static_cast<double>(std::ranges::count_if(
                     line.residuals,
                     [&](double residual) { return std::abs(residual) > group.residual_bound; })) /
                 static_cast<double>(points.size());
  group.weight = weights.low;
  group.weight_estimate = weights.estimate;
  group.weight_high = weights.high;
  group.no_weight = std::move(weights.none);
  group.kurtosis = line.kurtosis;
  group.ends_p = ends_p(line);
  group.ranges = ranges_of(points, line);
  test_trend(group);
  test_lines(group, points, arcs);
  if (group.weight > 0) {
    group.held_out = hold_out(points, options);
  }
  note_work(points.size());
  return group;
}

// The pairs of each arc.
struct Arcs {
  std::vector<CalibratedArc> list;         // sorted, without groups
  std::vector<std::uint32_t> of_pair;      // an index of `list`
  std::vector<std::size_t> first_of_list;  // the first pair of each arc
};

Arcs arcs_of(const Pairs& pairs) {
  const auto key = [&](std::size_t pair) {
    return (std::uint64_t{pairs.played[pair]} << 32U) + pairs.seen[pair];
  };
  std::vector<std::uint64_t> keys(pairs.size());
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    keys[pair] = key(pair);
  }
  std::ranges::sort(keys);
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  Arcs arcs;
  for (const std::uint64_t each : keys) {
    arcs.list.push_back({.played = static_cast<Arm>(each >> 32U), .seen = static_cast<Arm>(each)});
  }
  arcs.first_of_list.resize(keys.size());
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto arc =
        static_cast<std::uint32_t>(std::ranges::lower_bound(keys, key(pair)) - keys.begin());
    arcs.of_pair.push_back(arc);
    if (arcs.list[arc].pairs++ == 0) {
      arcs.first_of_list[arc] = pair;
    }
  }
  return arcs;
}

std::string arc_name(const Pairs& pairs, const CalibratedArc& arc) {
  return fmt::format("{} -> {}", pairs.names[arc.played], pairs.names[arc.seen]);
}

// Throws Error if two pairs of an arc differ in `column`.
template <class Value>
void check_one_for_each_arc(const Pairs& pairs, const Arcs& arcs, const char* column,
                            const std::vector<Value>& values,
                            const std::function<std::string(const Value&)>& text) {
  if (values.size() != pairs.size()) {
    throw Error("by", fmt::format("is {}, but the pairs have no column {}", column, column));
  }
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const std::uint32_t arc = arcs.of_pair[pair];
    const Value& first = values[arcs.first_of_list[arc]];
    if (values[pair] != first) {
      throw Error(column,
                  fmt::format("is {} and {} for the pairs of {}, expected one for each arc",
                              text(first), text(values[pair]), arc_name(pairs, arcs.list[arc])));
    }
  }
}

// Sets the groups of the arcs, and returns their names.
std::vector<std::string> pool_by_arc(const Pairs& pairs, Arcs& arcs) {
  std::vector<std::string> names;
  for (CalibratedArc& arc : arcs.list) {
    arc.group = names.size();
    names.push_back(arc_name(pairs, arc));
  }
  return names;
}

std::vector<std::string> pool_by_group(const Pairs& pairs, Arcs& arcs) {
  check_one_for_each_arc<std::uint32_t>(
      pairs, arcs, "group", pairs.group,
      [&](std::uint32_t group) { return in_quotes(pairs.group_names[group]); });
  for (std::size_t arc = 0; arc < arcs.list.size(); ++arc) {
    arcs.list[arc].group = pairs.group[arcs.first_of_list[arc]];
  }
  return pairs.group_names;
}

std::vector<std::string> pool_by_distance(const Pairs& pairs, std::size_t bins, Arcs& arcs) {
  check_one_for_each_arc<double>(pairs, arcs, "distance", pairs.distance,
                                 [](double distance) { return fmt::format("{}", distance); });
  std::vector<double> sorted = pairs.distance;
  std::ranges::sort(sorted);
  std::vector<double> begins;  // of the bins; equal distances are in the same bin
  for (std::size_t begin = 0; begin < sorted.size();) {
    const std::size_t share = (sorted.size() - begin) / (bins - begins.size());
    begins.push_back(sorted[begin]);
    begin += std::max<std::size_t>(1, share);
    while (begin < sorted.size() && sorted[begin] == sorted[begin - 1]) {
      ++begin;
    }
  }
  const auto bin_of = [&](double distance) {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins, distance) - begins.begin()) -
           1;
  };
  for (std::size_t arc = 0; arc < arcs.list.size(); ++arc) {
    arcs.list[arc].group = bin_of(pairs.distance[arcs.first_of_list[arc]]);
  }
  std::vector<std::string> names;
  for (std::size_t bin = 0; bin < begins.size(); ++bin) {
    const auto end =
        bin + 1 < begins.size() ? std::ranges::lower_bound(sorted, begins[bin + 1]) : sorted.end();
    names.push_back(fmt::format("{} to {}", begins[bin], *std::prev(end)));
  }
  return names;
}

std::vector<std::string> pool(const Pairs& pairs, const CalibrationOptions& options, Arcs& arcs) {
  switch (options.by) {
    case PooledBy::arc:
      return pool_by_arc(pairs, arcs);
    case PooledBy::group:
      return pool_by_group(pairs, arcs);
    case PooledBy::distance:
      break;
  }
  return pool_by_distance(pairs, options.bins, arcs);
}

// Calls visit(group, points, arcs of the points) for every group, in order, with its pairs in their
// order.
template <class Visit>
void for_each_group(const Pairs& pairs, const Arcs& arcs, std::size_t groups, Visit visit) {
  const auto group_of = [&](std::size_t pair) { return arcs.list[arcs.of_pair[pair]].group; };
  std::vector<std::size_t> begins(groups + 1);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    ++begins[group_of(pair) + 1];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  std::vector<std::size_t> order(pairs.size());
  std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    order[next[group_of(pair)]++] = pair;
  }
  for (std::size_t group = 0; group < groups; ++group) {
    Points points;
    std::vector<std::uint32_t> arcs_of_points;
    for (std::size_t k = begins[group]; k < begins[group + 1]; ++k) {
      points.add(pairs.loss[order[k]], pairs.reading[order[k]]);
      arcs_of_points.push_back(arcs.of_pair[order[k]]);
    }
    visit(group, points, std::span<const std::uint32_t>(arcs_of_points));
  }
}

// "the group 'near' has" or "3 of 20 groups have"
std::string counted(const Calibration& calibration, std::size_t count, const std::string& example) {
  return count == 1 ? fmt::format("the group {} has", in_quotes(example))
                    : fmt::format("{} of {} groups (as {}) have", count, calibration.groups.size(),
                                  in_quotes(example));
}

// Of the groups that `applies` selects, `worst` is the one of the largest value(group).
struct Found {
  std::size_t count = 0;
  const CalibratedGroup* worst = nullptr;
};

Found find_groups(const Calibration& calibration,
                  const std::function<bool(const CalibratedGroup&)>& applies,
                  const std::function<double(const CalibratedGroup&)>& value) {
  Found found;
  for (const CalibratedGroup& group : calibration.groups) {
    if (applies(group)) {
      ++found.count;
      if (found.worst == nullptr || value(group) > value(*found.worst)) {
        found.worst = &group;
      }
    }
  }
  return found;
}

void add_warnings(Calibration& calibration) {
  const auto groups = static_cast<double>(calibration.groups.size());
  std::vector<std::string>& warnings = calibration.warnings;

  const Found trend = find_groups(
      calibration,
      [&](const CalibratedGroup& group) {
        return group.trend_p < kSignificance / groups && group.trend > kNotableBias;
      },
      [](const CalibratedGroup& group) { return group.trend; });
  if (trend.count > 0) {
    warnings.push_back(fmt::format(
        "{} residuals whose mean changes with the loss (F test, p = {:.2g}; a mean of {:.2g} "
        "standard "
        "deviations in a range of losses): a line does not fit, and observations are biased",
        counted(calibration, trend.count, trend.worst->name), trend.worst->trend_p,
        trend.worst->trend));
  }

  const Found lines = find_groups(
      calibration,
      [&](const CalibratedGroup& group) {
        return group.lines_p < kSignificance / groups && group.lines_apart > kNotableBias;
      },
      [](const CalibratedGroup& group) { return group.lines_apart; });
  if (lines.count > 0) {
    warnings.push_back(fmt::format(
        "{} arcs with different lines (F test, p = {:.2g}; {:.2g} standard deviations from the "
        "line of the group): it does not fit all arcs, and observations are biased; expected arcs "
        "that are alike in a group, or a line for each arc",
        counted(calibration, lines.count, lines.worst->name), lines.worst->lines_p,
        lines.worst->lines_apart));
  }

  const Found tails = find_groups(
      calibration,
      [](const CalibratedGroup& group) {
        return group.pairs >= kLeastForTails && group.kurtosis > kHeavyKurtosis;
      },
      [](const CalibratedGroup& group) { return group.kurtosis; });
  if (tails.count > 0) {
    warnings.push_back(fmt::format(
        "{} residuals with heavy tails (kurtosis {:.3g}; 3 if Gaussian, 6 if Laplace): {}",
        counted(calibration, tails.count, tails.worst->name), tails.worst->kurtosis,
        calibration.options.noise_bound && calibration.options.quantile == 1
            ? "the largest residual grows with the number of pairs and is no bound; expected a "
              "quantile, or weights by spread"
            : "single readings may be far off"));
  }

  const Found ends = find_groups(
      calibration,
      [&](const CalibratedGroup& group) { return group.ends_p < kSignificance / groups; },
      [](const CalibratedGroup& group) { return -group.ends_p; });
  if (ends.count > 0 && calibration.options.noise_bound && calibration.options.quantile == 1) {
    warnings.push_back(
        fmt::format("{} few residuals near the largest (p = {:.2g}): the largest error may exceed "
                    "the limit from "
                    "which the weight is computed; expected a quantile, or weights by spread",
                    counted(calibration, ends.count, ends.worst->name), ends.worst->ends_p));
  }

  for (const auto& reason : {fmt::format("there are fewer than {} pairs", kLeastPairs),
                             std::string("the slope is not distinguishable from 0"),
                             std::string("the outcomes are all equal")}) {
    const Found none = find_groups(
        calibration, [&](const CalibratedGroup& group) { return group.no_weight == reason; },
        [](const CalibratedGroup& group) { return static_cast<double>(group.pairs); });
    if (none.count > 0) {
      warnings.push_back(fmt::format("{} no weight: {}",
                                     counted(calibration, none.count, none.worst->name), reason));
    }
  }

  const HeldOut& held = calibration.held_out;
  // P(a Poisson variable of mean `allowed` is `beyond` or more).
  if (held.beyond > 0 &&
      regularized_gamma(static_cast<double>(held.beyond), held.allowed) < kSignificance) {
    warnings.push_back(fmt::format(
        "{} of {} held-out pairs have noise beyond the bound, expected about {:.2g}: the "
        "bound does not hold for new readings",
        held.beyond, held.pairs, held.allowed));
  }
  constexpr double kNotableNoise =
      1.2;  // the mean square; the weights are cautious, so it is below 1
  if (!calibration.options.noise_bound && held.mean_square > kNotableNoise) {
    warnings.push_back(fmt::format(
        "the noise of held-out pairs has the mean square {:.3g}, expected at most 1: the "
        "weights do not hold for new readings",
        held.mean_square));
  }
}

}  // namespace

const FieldTable<CalibrationOptions>& CalibrationOptions::fields() {
  static const FieldTable<CalibrationOptions> table = {
      field("by", &CalibrationOptions::by, kPooledBy,
            "which pairs share a line: those of an arc, of a group (column group), or of a bin of "
            "distances (column distance)"),
      field("bins", &CalibrationOptions::bins, WholeRange{1, 10'000},
            "number of bins of distances, with about as many pairs each"),
      field("quantile", &CalibrationOptions::quantile, RealRange{0.5, 1},
            "the bound on the residuals is this quantile of their sizes; 1: the largest"),
  };
  return table;
}

Calibration calibrate(const Pairs& pairs, const CalibrationOptions& options) {
  check_options(options);
  if (options.noise_bound &&
      !(*options.noise_bound > 0 && *options.noise_bound <= kLargestNoiseBound)) {
    throw Error("noise_bound", fmt::format("is {}, expected a positive number up to {}",
                                           *options.noise_bound, kLargestNoiseBound));
  }
  Arcs arcs = arcs_of(pairs);
  const std::vector<std::string> names = pool(pairs, options, arcs);
  std::vector<CalibratedGroup> groups;
  HeldOut total;
  for_each_group(pairs, arcs, names.size(),
                 [&](std::size_t group, const Points& points, std::span<const std::uint32_t> of) {
                   groups.push_back(calibrate_group(names[group], points, of, options));
                   const HeldOut& held = groups.back().held_out;
                   total.pairs += held.pairs;
                   total.beyond += held.beyond;
                   total.allowed += held.allowed;
                   total.mean_square += held.mean_square * static_cast<double>(held.pairs);
                 });
  total.mean_square /= static_cast<double>(std::max<std::size_t>(total.pairs, 1));
  std::vector<Arc> weighted;
  for (const CalibratedArc& arc : arcs.list) {
    CalibratedGroup& group = groups[arc.group];
    ++group.arcs;
    if (group.weight > 0) {
      weighted.push_back({arc.played, arc.seen, group.weight});
    }
  }
  Calibration calibration{.options = options,
                          .names = pairs.names,
                          .numbered = pairs.numbered,
                          .graph = graph_of_arcs(pairs.names.size(), std::move(weighted)),
                          .groups = std::move(groups),
                          .arcs = std::move(arcs.list),
                          .held_out = total,
                          .warnings = {}};
  add_warnings(calibration);
  return calibration;
}

NoiseBoundChoice choice_of(Calibration calibration, const Effort& effort) {
  const double noise_bound = calibration.options.noise_bound.value_or(1);
  const std::array<Cost, 2> costs = {inverse_square_cost, noise_cost(noise_bound)};
  std::vector<EffectiveIndependence> alphas =
      effective_independence(calibration.graph, costs, effort);
  const double wix_cost = (1 + noise_bound + noise_bound * noise_bound) * alphas[0].upper;
  return {.noise_bound = noise_bound,
          .calibration = std::move(calibration),
          .alpha_star = std::move(alphas[0]),
          .alpha_r = std::move(alphas[1]),
          .wix_cost = wix_cost};
}

std::size_t recommended(std::span<const NoiseBoundChoice> choices) {
  return static_cast<std::size_t>(
      std::ranges::min_element(choices, {}, &NoiseBoundChoice::wix_cost) - choices.begin());
}

}  // namespace hearsay
