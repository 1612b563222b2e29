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
  // over all observations so far of a weight in (0, 0.6), unless there are none. The squares
  // include the variance of the losses, so the estimate is too large rather than too small.
  double standard_deviation() const { return standard_deviation_; }

  void learn(const CheckedFeedback& feedback);

  void save(StateWriter& writer) const;
  // Throws Error if the state is damaged; the object must then be discarded.
  void load(StateReader& reader);

 private:
  double standard_deviation_ = 1;
  std::uint64_t rounds_ = 0;
  CompensatedSum squares_;  // of observation - weight / 2
  CompensatedSum shares_;   // of (1 - weight)^2
};

}  // namespace hearsay
