#include "hearsay/learner/observations.h"

#include <cassert>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/weights.h"

namespace hearsay {
namespace {

// The row of the arm played, as the graph stores it.
struct Row {
  std::span<const double> weights;
  std::span<const Arm> columns;  // none: every arm

  Arm arm(std::size_t entry) const {
    return columns.empty() ? static_cast<Arm>(entry) : columns[entry];
  }
};

// As a rule there is one observation for each stored weight, in order and in range: no branch then,
// and nothing to lay out.
bool are_as_a_rule(std::span<const Observation> observations, const Row& row, double noise_bound) {
  if (observations.size() != row.weights.size()) {
    return false;
  }
  bool good = true;
  for (std::size_t k = 0; k < observations.size(); ++k) {
    const auto [arm, value] = observations[k];
    good &= arm == row.arm(k);
    good &= ObservationRange(row.weights[k], noise_bound).holds(value);
  }
  return good;
}

}  // namespace

CheckedObservations check_observations(const LearnerSpec& spec, const Graph& graph,
                                       const Feedback& feedback, std::vector<double>& room) {
  assert(graph.arms() == spec.arms);
  const Matrix& matrix = graph.weights();
  const Row row{matrix.row(feedback.played),
                matrix.is_dense() ? std::span<const Arm>() : matrix.row_columns(feedback.played)};
  if (are_as_a_rule(feedback.observations, row, spec.noise_bound)) {
    return {row.weights, 0};
  }

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
  std::uint64_t out_of_range = 0;
  std::size_t next_arm = 0;
  room.clear();
  for (const Observation& seen : feedback.observations) {
    if (seen.arm >= spec.arms || seen.arm < next_arm) {
      throw Error(
          seen.arm >= spec.arms
              ? fmt::format("an observation of arm {}, expected arms 0 to {}", seen.arm,
                            spec.arms - 1)
              : fmt::format("an observation of arm {} after one of arm {}, expected each arm "
                            "once, in increasing order",
                            seen.arm, next_arm - 1));
    }
    next_arm = std::size_t{seen.arm} + 1;
    pass_until(seen.arm);
    const bool stored = entry < row.weights.size() && row.arm(entry) == seen.arm;
    const double weight = stored ? row.weights[entry++] : 0.0;
    const ObservationRange range(weight, spec.noise_bound);
    if (!range.holds(seen.value)) {
      if (!std::isfinite(seen.value) || spec.out_of_range == OutOfRange::refuse) {
        const double slack = range_slack(spec.noise_bound);
        throw Error(fmt::format(
            "the observation of arm {} is {}, expected one in [{}, {}] at weight {} "
            "and noise bound {}",
            seen.arm, seen.value, range.low + slack, range.high - slack, weight, spec.noise_bound));
      }
      ++out_of_range;
    }
    room.push_back(weight);
  }
  pass_until(spec.arms);
  return {room, out_of_range};
}

}  // namespace hearsay
