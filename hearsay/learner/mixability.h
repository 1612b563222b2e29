#pragma once

// The mixability gap of a round of exponential weights: by how much the mean of the estimates
// exceeds the mix of them that the weights follow (docs/learners.md, Lemma 2).

#include <span>
#include <vector>

namespace hearsay {

// <p, estimates> + log(sum of p * exp(-rate * estimate)) / rate, and 0 at rate 0. Never negative.
// `scratch` is room to work in, so that a round allocates nothing.
double mixability_gap(std::span<const double> probabilities, std::span<const double> estimates,
                      double rate, std::vector<double>& scratch);

// The same from its sums, over arms of probability p and d = estimate - least estimate of an arm of
// positive probability (0 if that is less): p * d, p * exp(-rate * d) and p * (exp(-rate * d) - 1).
double mixability_gap(double mean_above, double mean_weight, double mean_loss_of_weight,
                      double rate);

}  // namespace hearsay
