#pragma once

// The report of a calibration: for the groups with the most pairs the fitted line beside the
// readings, and their residuals beside the bound, by ranges of losses; the weights of all groups.

#include <string>

#include "hearsay/problem/calibrate.h"
#include "hearsay/report/html.h"

namespace hearsay {

// `command`: the command line, which the report shows.
Report calibration_report(const Calibration& calibration, const std::string& command);

// How many decimals the figures of groups have wherever a calibration is shown: weights by the
// widths of their intervals, readings by the spreads, slopes by their standard errors.
struct GroupDecimals {
  int weight = 0;
  int reading = 0;  // offsets, spreads and bounds
  int slope = 0;
};
GroupDecimals group_decimals(const Calibration& calibration);

}  // namespace hearsay
