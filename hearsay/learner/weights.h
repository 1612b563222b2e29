#pragma once

// What the two engines, one run and many in lockstep, must do alike.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "hearsay/learner/sum.h"

namespace hearsay {

// Sums of estimates stay below this, so that no difference of two of them overflows. Only an arm
// played at a probability next to nothing could lift one so high.
inline constexpr double kLargestSum = 1e300;

// Coverages count as no less: below the smallest normal number 1 / coverage could overflow, and
// 0 * infinity is no number.
inline constexpr double kSmallestCoverage = std::numeric_limits<double>::min();

// Weights are summed in blocks, so that the rounding error of a million terms stays that of some
// hundred.
inline constexpr std::size_t kSummedTogether = 512;

// How far an observation may lie outside its range: for the rounding of whoever computed it.
inline constexpr double range_slack(double noise_bound) {
  return 1e-9 * (1 + noise_bound);
}

// Where an observation at this weight may lie.
struct ObservationRange {
  double low;
  double high;

  ObservationRange(double weight, double noise_bound) {
    const double reach = (1 - weight) * noise_bound;
    const double slack = range_slack(noise_bound);
    low = -reach - slack;
    high = weight + reach + slack;
  }
  bool holds(double value) const { return (value >= low) & (value <= high); }
};

// log(arms) / rate + the sum of the theorem's terms, after `rounds` with this rate in the last.
inline double regret_bound(std::size_t arms, std::uint64_t rounds, double last_rate,
                           const CompensatedSum& terms) {
  const bool something_to_learn = arms > 1 && rounds > 0;
  const double start = something_to_learn ? std::log(static_cast<double>(arms)) / last_rate : 0;
  return start + terms.value();
}

}  // namespace hearsay
