#pragma once

// The report of a calibration: for the groups with the most pairs the fitted line beside the
// readings, and their residuals beside the bound, by ranges of losses; the weights of all groups.

#include <span>
#include <string>

#include "hearsay/certificate/independence.h"
#include "hearsay/problem/calibrate.h"
#include "hearsay/report/html.h"

namespace hearsay {

// `command` is the command line, which the report shows.
Report calibration_report(const Calibration& calibration, const std::string& command);

// What a noise bound leads to, as in NoiseBoundChoice.
struct NoiseBoundNumbers {
  double noise_bound = 1;
  EffectiveIndependence alpha_star;
  EffectiveIndependence alpha_r;
  double wix_cost = 0;
};
NoiseBoundNumbers numbers_of(const NoiseBoundChoice& choice);

// Adds the independence numbers of the calibration, those of `choices[chosen]`, to its report, and
// if there are several noise bounds the table of them.
void add_noise_bounds(Report& report, std::span<const NoiseBoundNumbers> choices,
                      std::size_t chosen);

// "9.2", or "from 9.1 to 9.4" if the search did not end.
std::string interval_text(const EffectiveIndependence& alpha, int decimals);

// How many decimals the independence numbers and the costs of several noise bounds have.
struct NoiseBoundDecimals {
  int alpha = 0;
  int cost = 0;
};
NoiseBoundDecimals noise_bound_decimals(std::span<const NoiseBoundNumbers> choices);

// How many decimals the numbers of groups have wherever a calibration is shown: weights by the
// widths of their intervals, readings by the spreads, slopes by their standard errors.
struct GroupDecimals {
  int weight = 0;
  int reading = 0;  // offsets, spreads and bounds
  int slope = 0;
};
GroupDecimals group_decimals(const Calibration& calibration);

}  // namespace hearsay
