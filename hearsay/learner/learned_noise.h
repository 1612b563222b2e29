#pragma once

// The level of the noise, learned from the observations (docs/learners.md, "The noise, learned").

#include <cstdint>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/state.h"
#include "hearsay/learner/observations.h"

namespace hearsay {

class LearnedNoise {
 public:
  // The estimate is 1 at first. After 1, 2, 4, 8, ... rounds of feedback it is set to the square
  // root of
  //
  //   sum of (observation - weight / 2)^2 / sum of (1 - weight)^2
  //
  // over all observations so far of a weight in (0, 0.6). The squares include those of
  // weight * (loss - 1/2), so the estimate is too large rather than too small.
  //
  // As long as there is no such observation, those of a weight in [0.6, 1) show only that the
  // variance is at most this ratio, and at least the ratio with weight^2 / 4 subtracted from each
  // square, which is the most that the loss can contribute. The estimate is then the variance in
  // this interval that is nearest to 1.
  double standard_deviation() const { return standard_deviation_; }

  void learn(const CheckedFeedback& feedback);

  void save(StateWriter& writer) const;
  // Throws Error if the state is damaged; the object must then be discarded.
  void load(StateReader& reader);

 private:
  // Sums over observations.
  struct Sums {
    CompensatedSum squares;        // of observation - weight / 2
    CompensatedSum noise_factors;  // of (1 - weight)^2, by which the noise variance is multiplied
  };

  double variance() const;

  double standard_deviation_ = 1;
  std::uint64_t rounds_ = 0;
  Sums small_weights_;
  Sums large_weights_;
  CompensatedSum from_losses_;  // of weight^2 / 4, for large weights
};

}  // namespace hearsay
