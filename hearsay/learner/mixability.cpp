#include "hearsay/learner/mixability.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hearsay/simd/exponential.h"

namespace hearsay {

double mixability_gap(std::span<const double> probabilities, std::span<const double> estimates,
                      double rate, std::vector<double>& scratch) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    least = probabilities[i] > 0 ? std::min(least, estimates[i]) : least;
  }
  scratch.resize(estimates.size());
  double mean_above = 0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    const double above = std::max(estimates[i] - least, 0.0);
    mean_above += probabilities[i] * above;
    scratch[i] = -rate * above;
  }
  exponentials(scratch);
  double mean_weight = 0;
  double mean_weight_minus_one = 0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    mean_weight += probabilities[i] * scratch[i];
    mean_weight_minus_one += probabilities[i] * (scratch[i] - 1);
  }
  return mixability_gap(mean_above, mean_weight, mean_weight_minus_one, rate);
}

double mixability_gap(double mean_above, double mean_weight, double mean_weight_minus_one,
                      double rate) {
  if (rate == 0) {
    return 0;
  }
  // If the mean is near 1, its logarithm is computed from its difference to 1. mean_weight - 1
  // would not give that, because the probabilities do not sum to exactly 1.
  const double log_mean =
      mean_weight_minus_one > -0.5 ? std::log1p(mean_weight_minus_one) : std::log(mean_weight);
  return std::max(0.0, mean_above + log_mean / rate);
}

}  // namespace hearsay
