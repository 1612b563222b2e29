#include "hearsay/learner/observations.h"

#include <cassert>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "hearsay/error.h"
#include "hearsay/learner/weights.h"

namespace hearsay {

std::uint64_t read_observations(const LearnerSpec& spec, const Graph& graph,
                                const Feedback& feedback, std::vector<double>& weights) {
  assert(graph.arms() == spec.arms);
  const Matrix& matrix = graph.weights();
  const std::span<const double> row = matrix.row(feedback.played);
  const std::span<const Arm> columns =
      matrix.is_dense() ? std::span<const Arm>() : matrix.row_columns(feedback.played);
  const auto arm_of = [&](std::size_t entry) {
    return columns.empty() ? static_cast<Arm>(entry) : columns[entry];
  };
  std::size_t entry = 0;
  const auto pass_until = [&](std::size_t arm) {
    for (; entry < row.size() && arm_of(entry) < arm; ++entry) {
      if (row[entry] > 0) {
        throw Error(
            fmt::format("the observation of arm {} is missing, expected one: weight({}, {}) is {}",
                        arm_of(entry), feedback.played, arm_of(entry), row[entry]));
      }
    }
  };

  const double noise_bound = spec.noise_bound;
  const double slack = range_slack(noise_bound);
  std::uint64_t out_of_range = 0;
  std::size_t next_arm = 0;
  weights.clear();
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
    const bool stored = entry < row.size() && arm_of(entry) == seen.arm;
    const double weight = stored ? row[entry++] : 0.0;
    const double low = -(1 - weight) * noise_bound - slack;
    const double high = weight + (1 - weight) * noise_bound + slack;
    if (!(seen.value >= low && seen.value <= high)) {
      if (!std::isfinite(seen.value) || spec.out_of_range == OutOfRange::refuse) {
        throw Error(
            fmt::format("the observation of arm {} is {}, expected one in [{}, {}] at weight {} "
                        "and noise bound {}",
                        seen.arm, seen.value, low + slack, high - slack, weight, noise_bound));
      }
      ++out_of_range;
    }
    weights.push_back(weight);
  }
  pass_until(spec.arms);
  return out_of_range;
}

}  // namespace hearsay
