#pragma once

// Weights from data: how well does playing one arm show another? calibrate() takes pairs of a
// reading and the true outcome and fits a line reading = offset + slope * loss for each arc, or for
// arcs pooled by group or distance. The residuals determine the largest weight that the model
// allows; the observation for a learner is weight * (reading - offset) / slope. docs/model.md
// derives it; docs/calibrate.md has the confidence limits, which lower the weights if there are few
// pairs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/fields.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/graph/graph.h"
#include "hearsay/problem/pairs.h"

namespace hearsay {

// Which pairs share a line.
enum class PooledBy : std::uint8_t { arc, group, distance };
inline constexpr std::array<std::string_view, 3> kPooledBy = {"arc", "group", "distance"};

struct CalibrationOptions {
  PooledBy by = PooledBy::arc;
  std::size_t bins = 10;  // of the distances, with about the same number of pairs each

  // The bound on the residuals is this quantile of their absolute values; with 1, the largest.
  double quantile = 1;

  // If set, weights are the largest ones whose noise lies in [-noise_bound, noise_bound]. If not,
  // their noise has the standard deviation 1, for learners that learn the level of the noise.
  std::optional<double> noise_bound = std::nullopt;

  static const FieldTable<CalibrationOptions>& fields();
};

// The default time limit, in seconds, for the independence numbers that a choice among several
// noise bounds needs.
inline constexpr double kCalibrationTimeLimit = 10;

// Each confidence limit of a weight holds with about this probability (docs/calibrate.md).
inline constexpr double kCalibrationConfidence = 0.95;

// With fewer pairs a group has no weight.
inline constexpr std::size_t kLeastPairs = 5;

// A check on held-out pairs: every fifth pair of a group is held out, a line is fitted to the
// others, and the noise of the held-out pairs under the resulting weight is compared with what the
// model allows.
struct HeldOut {
  std::size_t pairs = 0;
  std::size_t beyond = 0;  // pairs with noise beyond the bound; 0 without a noise bound
  double allowed = 0;      // the largest number of these to be expected
  double mean_square = 0;  // of the noise, in units of the noise bound or of the spread 1
};

// The pairs of a group whose losses lie in one range. There are up to eight ranges, with about the
// same number of pairs each; equal losses are in the same range.
struct LossRange {
  std::size_t pairs = 0;
  double mean_loss = 0;
  double mean_residual = 0;
  double spread = 0;  // the standard deviation of the residuals in the range
};

// The result for the pairs that share a line.
struct CalibratedGroup {
  std::string name;
  std::size_t arcs = 0;
  std::size_t pairs = 0;
  double offset = 0;
  double slope = 0;
  double slope_error = 0;     // the standard error of the slope
  double spread = 0;          // the standard deviation of the residuals
  double residual_bound = 0;  // the largest absolute residual, or the quantile of the options
  double beyond = 0;          // the share of the pairs with a larger residual

  double weight = 0;           // the lower confidence limit, which is the weight in the graph
  double weight_estimate = 0;  // by the formula, from the estimates above
  double weight_high = 0;      // the upper confidence limit
  std::string no_weight = {};  // why the weight is 0; empty if it is not

  double kurtosis = 0;  // of the residuals: 1.8 if uniform, 3 if Gaussian, 6 if Laplace

  // Tests whether small errors are more frequent than the limit of the largest error assumes: the
  // p-value of P(|error| > x B) >= (1 - x)^2, where B is the bound. 1 if there are too few pairs.
  double ends_p = 1;

  std::vector<LossRange> ranges = {};

  // Tests whether the mean of the residuals changes with the loss: the p-value of an F test between
  // the ranges, and the largest mean in a range in units of `spread`. 1 and 0 if there are too few
  // pairs or losses.
  double trend_p = 1;
  double trend = 0;

  // Tests whether the arcs of the group have different lines: the p-value of an F test of one line
  // for each arc against one line for all, and the distance of the arcs' lines from the common
  // line (root mean square over the pairs, in units of its spread). Only arcs of kLeastPairs pairs
  // or more count; 1 and 0 if there are too few.
  double lines_p = 1;
  double lines_apart = 0;

  HeldOut held_out = {};
};

// The numbers of a group by the names that they have in every output.
struct GroupColumn {
  const char* name;
  double CalibratedGroup::*value;
};
inline constexpr std::array kGroupColumns = {
    GroupColumn{"weight", &CalibratedGroup::weight},
    GroupColumn{"weight_estimate", &CalibratedGroup::weight_estimate},
    GroupColumn{"weight_high", &CalibratedGroup::weight_high},
    GroupColumn{"offset", &CalibratedGroup::offset},
    GroupColumn{"slope", &CalibratedGroup::slope},
    GroupColumn{"slope_error", &CalibratedGroup::slope_error},
    GroupColumn{"spread", &CalibratedGroup::spread},
    GroupColumn{"residual_bound", &CalibratedGroup::residual_bound},
    GroupColumn{"beyond", &CalibratedGroup::beyond},
    GroupColumn{"kurtosis", &CalibratedGroup::kurtosis},
    GroupColumn{"ends_p", &CalibratedGroup::ends_p},
    GroupColumn{"trend", &CalibratedGroup::trend},
    GroupColumn{"trend_p", &CalibratedGroup::trend_p},
    GroupColumn{"lines_apart", &CalibratedGroup::lines_apart},
    GroupColumn{"lines_p", &CalibratedGroup::lines_p},
};

struct CalibratedArc {
  Arm played = 0;
  Arm seen = 0;
  std::size_t group = 0;  // an index of Calibration::groups
  std::size_t pairs = 0;
};

struct Calibration {
  CalibrationOptions options;
  std::vector<std::string> names;  // of the arms, as in Pairs
  bool numbered = false;
  Graph graph;
  std::vector<CalibratedGroup> groups;  // by distance: from near to far; otherwise as they appear
  std::vector<CalibratedArc> arcs;      // all that have pairs, by the arm played and the arm seen
  HeldOut held_out;                     // of all groups with a weight

  // Where the data contradict the model, and why some groups have no weight; a sentence each.
  std::vector<std::string> warnings;
};

// Throws Error at an option that is out of its range, or if the pairs do not have the column by
// which they are to be pooled, or if an arc is in two groups or at two distances.
Calibration calibrate(const Pairs& pairs, const CalibrationOptions& options = {});

// A calibration with the independence numbers of its graph, by which noise bounds are compared.
struct NoiseBoundChoice {
  double noise_bound = 1;  // 1 if the weights are by spread
  Calibration calibration;
  EffectiveIndependence alpha_star;  // in the bound of exp3-wix
  EffectiveIndependence alpha_r;     // in the bound of exp3-ivx; the same for every noise bound
  double wix_cost = 0;               // (1 + R + R^2) alpha*, which the bound of exp3-wix grows with
};

// `progress` is called whenever the interval of alpha_star (cost 0) or alpha_r (1) has become
// smaller.
NoiseBoundChoice choice_of(
    Calibration calibration, const Effort& effort = {},
    const std::function<void(std::size_t cost, double lower, double upper)>& progress = {});

// The index of the choice with the smallest wix_cost. docs/calibrate.md gives the reason.
std::size_t recommended(std::span<const NoiseBoundChoice> choices);

}  // namespace hearsay
