#pragma once

// The mixability gap of a round of exponential weights: the mean of the estimates minus the mix
// loss (docs/learners.md, Lemma 2).

#include <span>
#include <vector>

namespace hearsay {

// <p, estimates> + log(sum of p * exp(-rate * estimate)) / rate, and 0 at rate 0. Never negative.
// `scratch` is a buffer, so that a round allocates nothing.
double mixability_gap(std::span<const double> probabilities, std::span<const double> estimates,
                      double rate, std::vector<double>& scratch);

// The same from three sums over arms of p * d, p * exp(-rate * d) and p * (exp(-rate * d) - 1),
// where p is the probability and d = max(estimate - least estimate of an arm of positive
// probability, 0).
double mixability_gap(double mean_above, double mean_weight, double mean_weight_minus_one,
                      double rate);

}  // namespace hearsay
