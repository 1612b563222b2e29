#include "hearsay/problem/calibrate.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/storage.h"
#include "hearsay/problem/calibration_checks.h"
#include "hearsay/problem/calibration_groups.h"
#include "hearsay/problem/calibration_line.h"
#include "hearsay/problem/calibration_warnings.h"
#include "hearsay/problem/calibration_weight.h"

namespace hearsay {
namespace {

constexpr double kLargestNoiseBound = 1e100;

// `arcs` has the arc of each point.
CalibratedGroup calibrate_group(std::string name, const LinePoints& points,
                                std::span<const std::uint32_t> arcs,
                                const CalibrationOptions& options) {
  const FittedLine line = fit_line(points);
  WeightLimits weights = weight_limits(line, options);
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
  group.no_weight = std::move(weights.no_weight);
  group.kurtosis = line.kurtosis;
  group.ends_p = ends_p(line);
  group.ranges = ranges_of(points, line);
  test_trend(group);
  test_lines(group, points, arcs);
  if (group.weight > 0) {
    group.held_out = hold_out(points, options);
  }
  return group;
}

}  // namespace

const FieldTable<CalibrationOptions>& CalibrationOptions::fields() {
  static const FieldTable<CalibrationOptions> table = {
      field("by", &CalibrationOptions::by, kPooledBy,
            "which pairs share a line: those of an arc, of a group (column group), or of a bin of "
            "distances (column distance)"),
      field("bins", &CalibrationOptions::bins, WholeRange{1, 10'000},
            "number of bins of distances, with about the same number of pairs each"),
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
  ArcsOfPairs arcs = arcs_of(pairs);
  const std::vector<std::string> names = pool_arcs(pairs, options, arcs);
  std::vector<CalibratedGroup> groups;
  HeldOut total;
  for_each_group(pairs, arcs, names.size(),
                 [&](std::size_t group, const LinePoints& points,
                     std::span<const std::uint32_t> arcs_of_points) {
                   groups.push_back(calibrate_group(names[group], points, arcs_of_points, options));
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
  calibration.warnings = warnings_of(calibration);
  return calibration;
}

NoiseBoundChoice choice_of(
    Calibration calibration, const Effort& effort,
    const std::function<void(std::size_t cost, double lower, double upper)>& progress) {
  const double noise_bound = calibration.options.noise_bound.value_or(1);
  const std::array<Cost, 2> costs = {inverse_square_cost, noise_cost(noise_bound)};
  std::vector<EffectiveIndependence> alphas =
      effective_independence(calibration.graph, costs, effort, progress);
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
