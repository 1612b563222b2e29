#include "hearsay/learner/observations.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/row_match.h"

namespace hearsay {
namespace {

// The row of the arm played, as the graph stores it.
struct Row {
  std::span<const double> weights;
  std::span<const Arm> columns;  // empty: every arm

  Row(const Graph& graph, Arm played)
      : weights(graph.weights().row(played)),
        columns(graph.is_dense() ? std::span<const Arm>() : graph.weights().row_columns(played)) {}

  Arm arm(std::size_t entry) const {
    return columns.empty() ? static_cast<Arm>(entry) : columns[entry];
  }

  // The entry of an arm that the row has.
  std::size_t entry_of(Arm arm) const {
    return columns.empty()
               ? arm
               : static_cast<std::size_t>(std::ranges::lower_bound(columns, arm) - columns.begin());
  }
};

void check_true_losses(const Graph& graph, Arm played) {
  for (Arm arm = 0; arm < graph.arms(); ++arm) {
    if (graph.weight(played, arm) != 1) {
      throw Error(
          fmt::format("weight({}, {}) is {}, expected 1: this learner must be shown every true "
                      "loss",
                      played, arm, graph.weight(played, arm)));
    }
  }
}

[[noreturn]] void fail_out_of_range(const Observation& observation, double weight,
                                    double noise_bound) {
  std::string expected;
  if (noise_bound == kUnboundedNoise && weight >= 1) {
    expected = "one in [0, 1] at weight 1";
  } else if (noise_bound == kUnboundedNoise) {
    const ObservationRange range(weight, noise_bound);
    expected = fmt::format("a number from {} to {}", range.low, range.high);
  } else {
    const double reach = (1 - weight) * noise_bound;
    expected = fmt::format("one in [{}, {}] at weight {} and noise bound {}",
                           reach > 0 ? -reach : 0, weight + reach, weight, noise_bound);
  }
  throw Error(fmt::format("the observation of arm {} is {}, expected {}", observation.arm,
                          observation.value, expected));
}

void check_order(const Observation& observation, std::size_t next_arm, std::size_t arms) {
  if (observation.arm >= arms) {
    throw Error(
        fmt::format("an observation of arm {}, expected arms 0 to {}", observation.arm, arms - 1));
  }
  if (observation.arm < next_arm) {
    throw Error(
        fmt::format("an observation of arm {} after one of arm {}, expected each arm once, "
                    "in increasing order",
                    observation.arm, next_arm - 1));
  }
}

}  // namespace

void check_arms(const Graph& graph, std::size_t arms) {
  if (graph.arms() != arms) {
    throw Error(fmt::format("the graph has {} arms, expected {}", graph.arms(), arms));
  }
}

CheckedFeedback FeedbackChecker::check(const Graph& graph, const Feedback& feedback) {
  check_arms(graph, arms_);
  if (information_ == Information::true_losses) {
    check_true_losses(graph, feedback.played);
  }
  const Row row(graph, feedback.played);
  // In this usual case the weights need not be copied.
  if (observations_match_row(feedback.observations, row.weights, row.columns, noise_bound_)) {
    return {graph, feedback.played, feedback.observations, row.weights,
            row.entry_of(feedback.played)};
  }
  return check_one_by_one(graph, feedback);
}

CheckedFeedback FeedbackChecker::check_one_by_one(const Graph& graph, const Feedback& feedback) {
  const Row row(graph, feedback.played);
  std::size_t entry = 0;
  const auto pass_until = [&](std::size_t arm) {
    for (; entry < row.weights.size() && row.arm(entry) < arm; ++entry) {
      if (row.weights[entry] > 0) {
        throw Error(
            fmt::format("the observation of arm {} is missing, expected one: weight({}, {}) is {}",
                        row.arm(entry), feedback.played, row.arm(entry), row.weights[entry]));
      }
    }
  };
  CheckedFeedback checked{graph, feedback.played, feedback.observations, {}};
  std::size_t next_arm = 0;
  weights_.clear();
  for (const Observation& observation : feedback.observations) {
    check_order(observation, next_arm, arms_);
    next_arm = std::size_t{observation.arm} + 1;
    pass_until(observation.arm);
    if (observation.arm == feedback.played) {
      checked.own = weights_.size();
    }
    const bool stored = entry < row.weights.size() && row.arm(entry) == observation.arm;
    const double weight = stored ? row.weights[entry++] : 0.0;
    const ObservationRange range(weight, noise_bound_);
    if (!range.contains(observation.value)) {
      if (!std::isfinite(observation.value) || out_of_range_ == OutOfRange::refuse) {
        fail_out_of_range(observation, weight, noise_bound_);
      }
      ++checked.out_of_range;
      checked.breaks_model = checked.breaks_model || weight == 1;
    }
    weights_.push_back(weight);
  }
  pass_until(arms_);
  checked.weights = weights_;
  return checked;
}

}  // namespace hearsay
