#pragma once

// The line of a calibration, reading = offset + slope * loss, fitted to the pairs that share it.

#include <cstddef>
#include <vector>

namespace hearsay {

// Pairs of a loss and a reading.
struct LinePoints {
  std::vector<double> loss;
  std::vector<double> reading;

  std::size_t size() const { return loss.size(); }
  void add(double x, double y) {
    loss.push_back(x);
    reading.push_back(y);
  }
};

// A line by ordinary least squares. Sums are over differences from the means, and compensated.
struct FittedLine {
  double offset = 0;
  double slope = 0;
  double slope_error = 0;
  double spread = 0;    // of the residuals, with n - 2 degrees of freedom
  double kurtosis = 0;  // 0 if the residuals are nothing but rounding errors
  bool is_flat = true;  // the losses do not differ; the slope is 0
  std::vector<double> residuals;
  std::vector<double> leverages;
};

// `points` must not be empty. A line through one or two points has no spread.
FittedLine fit_line(const LinePoints& points);

}  // namespace hearsay
