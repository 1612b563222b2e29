#pragma once

// Weights from data: how well does playing one arm show another? From pairs of a reading and the
// true outcome, a line reading = offset + slope * loss is fitted for each arc, or for arcs pooled
// by group or distance. Its residuals give the largest weight that the model allows, and the
// observation that a learner takes is weight * (reading - offset) / slope. docs/model.md derives
// it; docs/calibrate.md says which confidence limits make the weights of few pairs cautious.

#include <array>
#include <cstddef>
#include <cstdint>
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
  std::size_t bins = 10;  // of the distances, with about as many pairs each

  // The bound on the residuals is this quantile of their absolute values; 1: the largest.
  double quantile = 1;

  // The largest weight whose noise lies in [-noise_bound, noise_bound]. None: the weight whose
  // noise has the standard deviation 1, for learners that learn the level of the noise.
  std::optional<double> noise_bound = std::nullopt;

  static const FieldTable<CalibrationOptions>& fields();
};

// Each confidence limit of a weight holds with about this probability (docs/calibrate.md).
inline constexpr double kCalibrationConfidence = 0.95;

// With fewer pairs a group has no weight.
inline constexpr std::size_t kLeastPairs = 5;

// A check on pairs that were not used: every fifth pair of a group is held out, a line is fitted to
// the others, and the noise that the held-out pairs have under its weight is compared with what the
// model allows.
struct HeldOut {
  std::size_t pairs = 0;
  std::size_t beyond = 0;  // with a noise beyond the bound; 0 without a noise bound
  double allowed = 0;      // how many of these are expected, at most
  double mean_square = 0;  // of the noise, in units of the noise bound or of the spread 1
};

// Pairs of a group whose losses are next to each other. There are up to eight such ranges, with
// about as many pairs each; equal losses are in the same range.
struct LossRange {
  std::size_t pairs = 0;
  double mean_loss = 0;
  double mean_residual = 0;
  double spread = 0;  // the standard deviation of the residuals in the range
};

// The pairs that share a line, and what was found.
struct CalibratedGroup {
  std::string name;
  std::size_t arcs = 0;
  std::size_t pairs = 0;
  double offset = 0;
  double slope = 0;
  double slope_error = 0;     // the standard error of the slope
  double spread = 0;          // the standard deviation of the residuals
  double residual_bound = 0;  // the largest residual, or the quantile that was asked for
  double beyond = 0;          // the share of the pairs with a larger residual

  double weight = 0;           // the lower confidence limit, which the graph has
  double weight_estimate = 0;  // by the formula, from the figures above
  double weight_high = 0;      // the upper confidence limit
  std::string no_weight = {};  // why the weight is 0; empty if it is not

  double kurtosis = 0;  // of the residuals: 1.8 if uniform, 3 if Gaussian, 6 if Laplace

  // Whether small errors are more frequent than the limit of the largest error allows for: the
  // p-value of P(|error| > x B) >= (1 - x)^2, where B is the bound. 1 if there are too few pairs.
  double ends_p = 1;

  std::vector<LossRange> ranges = {};

  // Whether the mean of the residuals moves with the loss: the p-value of an F test between the
  // ranges, and the largest mean in a range in units of `spread`. 1 and 0 if there are too few
  // pairs or losses.
  double trend_p = 1;
  double trend = 0;

  // Whether the arcs of the group have different lines: the p-value of an F test of a line for each
  // arc against one for all, and how far, in the quadratic mean over the pairs, the lines of the
  // arcs are from the common one, in units of its spread. Only arcs of kLeastPairs pairs or more
  // count; 1 and 0 if there are too few.
  double lines_p = 1;
  double lines_apart = 0;

  HeldOut held_out = {};
};

// The figures of a group by the names that they have in every output.
struct GroupFigure {
  const char* name;
  double CalibratedGroup::*value;
};
inline constexpr std::array kGroupFigures = {
    GroupFigure{"weight", &CalibratedGroup::weight},
    GroupFigure{"weight_estimate", &CalibratedGroup::weight_estimate},
    GroupFigure{"weight_high", &CalibratedGroup::weight_high},
    GroupFigure{"offset", &CalibratedGroup::offset},
    GroupFigure{"slope", &CalibratedGroup::slope},
    GroupFigure{"slope_error", &CalibratedGroup::slope_error},
    GroupFigure{"spread", &CalibratedGroup::spread},
    GroupFigure{"residual_bound", &CalibratedGroup::residual_bound},
    GroupFigure{"beyond", &CalibratedGroup::beyond},
    GroupFigure{"kurtosis", &CalibratedGroup::kurtosis},
    GroupFigure{"ends_p", &CalibratedGroup::ends_p},
    GroupFigure{"trend", &CalibratedGroup::trend},
    GroupFigure{"trend_p", &CalibratedGroup::trend_p},
    GroupFigure{"lines_apart", &CalibratedGroup::lines_apart},
    GroupFigure{"lines_p", &CalibratedGroup::lines_p},
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

  // What the data say against the model, and why some groups have no weight; a sentence each.
  std::vector<std::string> warnings;
};

// Throws Error at an option that is out of its range, or if the pairs do not have the column by
// which they are to be pooled, or if an arc is in two groups or at two distances.
Calibration calibrate(const Pairs& pairs, const CalibrationOptions& options = {});

// What the graph of a calibration is worth, so that noise bounds can be compared.
struct NoiseBoundChoice {
  double noise_bound = 1;  // 1 if the weights are by spread
  Calibration calibration;
  EffectiveIndependence alpha_star;  // what exp3-wix pays
  EffectiveIndependence alpha_r;     // what exp3-ivx pays; the same for every noise bound
  double wix_cost = 0;               // (1 + R + R^2) alpha*, which the bound of exp3-wix grows with
};

NoiseBoundChoice choice_of(Calibration calibration, const Effort& effort = {});

// The index of the one of the smallest wix_cost. docs/calibrate.md says why it is recommended.
std::size_t recommended(std::span<const NoiseBoundChoice> choices);

}  // namespace hearsay
