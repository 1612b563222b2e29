#pragma once

// Says in sentences where the data contradict the model of a calibration.

#include <string>
#include <vector>

#include "hearsay/problem/calibrate.h"

namespace hearsay {

// From the groups, the held-out pairs and the options; each names the group where it is worst.
std::vector<std::string> warnings_of(const Calibration& calibration);

}  // namespace hearsay
