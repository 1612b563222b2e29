#include "hearsay/experiment/experiment.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace hearsay {

std::vector<Cell> expand(const LearnerSweep& sweep, std::size_t arms) {
  LearnerSpec first;
  first.name = sweep.learner;
  first.arms = arms;
  std::vector<LearnerSpec> specs = {first};

  // Multiplies the specs so far by the values of one more parameter.
  const auto multiply = [&specs](const auto& values, auto LearnerSpec::*parameter) {
    std::vector<LearnerSpec> multiplied;
    multiplied.reserve(specs.size() * values.size());
    for (const LearnerSpec& spec : specs) {
      for (const auto& value : values) {
        multiplied.push_back(spec);
        multiplied.back().*parameter = value;
      }
    }
    specs = std::move(multiplied);
  };
  multiply(sweep.noise_bound, &LearnerSpec::noise_bound);
  multiply(sweep.rate, &LearnerSpec::rate);
  multiply(sweep.exploration, &LearnerSpec::exploration);
  multiply(sweep.threshold, &LearnerSpec::threshold);
  multiply(sweep.delta, &LearnerSpec::delta);
  multiply(sweep.tuning, &LearnerSpec::tuning);
  multiply(sweep.engine, &LearnerSpec::engine);

  std::vector<Cell> cells;
  cells.reserve(specs.size());
  std::ranges::transform(specs, std::back_inserter(cells), [&](const LearnerSpec& spec) {
    return Cell{sweep.label, spec};
  });
  return cells;
}

std::vector<Parameter> parameters(const LearnerSpec& learner) {
  const auto real_or = [](const std::optional<double>& value, const char* word) {
    return value ? fmt::format("{}", *value) : word;
  };
  const std::string_view tuning =
      learner.tuning ? kTunings[static_cast<std::size_t>(*learner.tuning)] : "";
  return {{"noise_bound", fmt::format("{}", learner.noise_bound)},
          {"rate", real_or(learner.rate, "adaptive")},
          {"exploration", real_or(learner.exploration, "theory")},
          {"threshold", real_or(learner.threshold, "")},
          {"delta", real_or(learner.delta, "")},
          {"tuning", std::string(tuning)},
          {"engine", std::string(kEngines[static_cast<std::size_t>(learner.engine)])}};
}

std::vector<std::uint64_t> points_of(const PointPlan& plan, std::uint64_t horizon) {
  std::vector<std::uint64_t> points = plan.list;
  if (points.empty()) {
    const auto last = static_cast<double>(plan.count - 1);
    for (std::size_t k = 1; k < plan.count; ++k) {
      if (plan.spacing == Spacing::linear) {
        // k / count of the horizon, rounded down; in two parts, so that nothing overflows
        points.push_back(horizon / plan.count * k + horizon % plan.count * k / plan.count);
      } else {
        const double part = static_cast<double>(k - 1) / last;
        points.push_back(static_cast<std::uint64_t>(std::pow(static_cast<double>(horizon), part)));
      }
    }
  }
  points.push_back(horizon);
  std::erase_if(points, [&](std::uint64_t point) { return point == 0 || point > horizon; });
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

}  // namespace hearsay
