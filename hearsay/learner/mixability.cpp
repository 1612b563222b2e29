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
  double mean_loss_of_weight = 0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    mean_weight += probabilities[i] * scratch[i];
    mean_loss_of_weight += probabilities[i] * (scratch[i] - 1);
  }
  return mixability_gap(mean_above, mean_weight, mean_loss_of_weight, rate);
}

double mixability_gap(double mean_above, double mean_weight, double mean_loss_of_weight,
                      double rate) {
  if (rate == 0) {
    return 0;
  }
  // Near 1 the logarithm of the mean needs its difference from 1, which the probabilities, whose
  // sum is not exactly 1, do not give.
  const double log_mean =
      mean_loss_of_weight > -0.5 ? std::log1p(mean_loss_of_weight) : std::log(mean_weight);
  return std::max(0.0, mean_above + log_mean / rate);
}

}  // namespace hearsay
