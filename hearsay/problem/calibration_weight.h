#pragma once

// The weight that the residuals of a line allow, with its confidence limits. docs/calibrate.md
// derives them.

#include <string>

#include "hearsay/problem/calibrate.h"
#include "hearsay/problem/calibration_line.h"

namespace hearsay {

// Why a group may have no weight.
inline constexpr const char* kFewPairs = "there are fewer than 5 pairs";
static_assert(kLeastPairs == 5);
inline constexpr const char* kNoSlope = "the slope is not distinguishable from 0";
inline constexpr const char* kEqualOutcomes = "the outcomes are all equal";

struct WeightLimits {
  double low = 0;
  double estimate = 0;
  double high = 0;
  std::string no_weight = {};  // why `low` is 0: one of the reasons above
};

WeightLimits weight_limits(const FittedLine& line, const CalibrationOptions& options);

// The quantile of the absolute residuals; for quantile 1, the largest.
double residual_bound(const FittedLine& line, double quantile);

}  // namespace hearsay
