#pragma once

// The report of a calibration: for the groups with the most pairs the fitted line beside the
// readings, and their residuals beside the bound, by ranges of losses; the weights of all groups.

#include <string>

#include "hearsay/problem/calibrate.h"
#include "hearsay/report/html.h"

namespace hearsay {

// `command`: the command line, which the report shows.
Report calibration_report(const Calibration& calibration, const std::string& command);

}  // namespace hearsay
