#pragma once

// The weight that the residuals of a line allow, with its confidence limits. docs/calibrate.md
// derives them.

#include <string>

#include "hearsay/problem/calibrate.h"
#include "hearsay/problem/calibration_line.h"

namespace hearsay {

struct WeightLimits {
  double low = 0;
  double estimate = 0;
  double high = 0;
  std::string none = {};  // why `low` is 0
};

WeightLimits weight_limits(const FittedLine& line, const CalibrationOptions& options);

// The quantile of the absolute residuals; 1: the largest.
double residual_bound(const FittedLine& line, double quantile);

}  // namespace hearsay
