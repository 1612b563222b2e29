#pragma once

// The checks of a round's feedback, which every learner makes before it takes the round in.

#include <cstdint>
#include <span>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// In place of a noise bound where there is none. Finite, so that (1 - weight) * bound is a number.
inline constexpr double kUnboundedNoise = 1e100;

// How far an observation may lie outside its range, to allow for rounding where it was computed.
// Without a noise bound only the range at weight 1 has an end, and that does not grow with the
// bound: an observation is then the loss itself.
inline constexpr double range_slack(double noise_bound) {
  return noise_bound == kUnboundedNoise ? 1e-9 : 1e-9 * (1 + noise_bound);
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
  bool contains(double value) const { return (value >= low) & (value <= high); }
};

// Feedback that has passed the checks.
struct CheckedFeedback {
  const Graph& graph;
  Arm played = 0;
  std::span<const Observation> observations;
  std::span<const double> weights;  // weight(played, arm) of each observation
  std::uint64_t out_of_range = 0;   // how many observations are
  bool breaks_model = false;        // one of them has weight 1, at which it is the loss itself
};

// Of the arm played.
double own_observation(const CheckedFeedback& feedback);

class FeedbackChecker {
 public:
  FeedbackChecker(const LearnerSpec& spec, Information information)
      : arms_(spec.arms),
        noise_bound_(spec.noise == NoiseLevel::learned ? kUnboundedNoise : spec.noise_bound),
        out_of_range_(spec.out_of_range),
        information_(information) {}

  // Throws Error for a graph of another size; for an observation that is missing, repeated, not a
  // number, or out of range if the spec refuses those; and for a weight below 1 if the learner must
  // be shown the true losses. The result is valid until the next call.
  CheckedFeedback check(const Graph& graph, const Feedback& feedback);

 private:
  CheckedFeedback check_one_by_one(const Graph& graph, const Feedback& feedback);

  std::size_t arms_;
  double noise_bound_;
  OutOfRange out_of_range_;
  Information information_;
  std::vector<double> weights_;
};

}  // namespace hearsay
