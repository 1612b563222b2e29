#pragma once

// The checks that every learner makes before it takes in the feedback of a round.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// Stands for "no noise bound". It is finite, so that (1 - weight) * bound is never NaN.
inline constexpr double kUnboundedNoise = 1e100;

// How far an observation may lie outside its range, to allow for rounding errors of the caller.
// Without a noise bound, only observations of weight 1 have a bounded range. They are the losses
// themselves, so their tolerance does not depend on the noise bound.
inline constexpr double range_slack(double noise_bound) {
  return noise_bound == kUnboundedNoise ? 1e-9 : 1e-9 * (1 + noise_bound);
}

// The range of an observation at this weight.
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
  std::size_t own = 0;              // the index of the observation of the arm played
  std::uint64_t out_of_range = 0;   // number of observations out of range
  bool breaks_model = false;        // one of them has weight 1, at which it is the loss itself
};

// The observation of the arm played.
inline double own_observation(const CheckedFeedback& feedback) {
  return feedback.observations[feedback.own].value;
}

// Throws Error if the graph does not have `arms` arms.
void check_arms(const Graph& graph, std::size_t arms);

class FeedbackChecker {
 public:
  // Without a noise bound, kUnboundedNoise takes its place, so that observations of a weight below
  // 1 are out of range only if they are extremely large.
  FeedbackChecker(std::size_t arms, std::optional<double> noise_bound, OutOfRange out_of_range,
                  Information information)
      : arms_(arms),
        noise_bound_(noise_bound.value_or(kUnboundedNoise)),
        out_of_range_(out_of_range),
        information_(information) {}

  // Throws Error if the graph has another number of arms; if an observation is missing, repeated,
  // out of order, not finite or, if `out_of_range` is `refuse`, out of range; and if a weight is
  // below 1 although the learner must be shown the true losses. The result is valid until the next
  // call.
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
