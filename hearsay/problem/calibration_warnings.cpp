#include "hearsay/problem/calibration_warnings.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include <fmt/format.h>

#include "hearsay/base/distributions.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/problem/calibration_checks.h"
#include "hearsay/problem/calibration_weight.h"

namespace hearsay {
namespace {

constexpr double kSignificance = 0.001;
constexpr double kNotableBias = 0.1;  // of the spread
constexpr double kHeavyKurtosis = 6;  // that of the Laplace law

// "the group 'near' has" or "3 of 20 groups (as 'near') have"
std::string groups_that_have(const Calibration& calibration, std::size_t count,
                             const std::string& example) {
  return count == 1 ? fmt::format("the group {} has", in_quotes(example))
                    : fmt::format("{} of {} groups (as {}) have", grouped_digits(count),
                                  grouped_digits(calibration.groups.size()), in_quotes(example));
}

// A p-value below the smallest number that can be computed is not 0.
std::string p_text(double p) {
  constexpr double kLeast = 1e-300;
  return p < kLeast ? fmt::format("p < {}", kLeast) : fmt::format("p = {:.2g}", p);
}

// Of the groups that `applies` selects, `worst` is the one of the largest value(group).
struct Found {
  std::size_t count = 0;
  const CalibratedGroup* worst = nullptr;
};

Found find_groups(const Calibration& calibration,
                  const std::function<bool(const CalibratedGroup&)>& applies,
                  const std::function<double(const CalibratedGroup&)>& value) {
  Found found;
  for (const CalibratedGroup& group : calibration.groups) {
    if (applies(group)) {
      ++found.count;
      if (found.worst == nullptr || value(group) > value(*found.worst)) {
        found.worst = &group;
      }
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> warnings_of(const Calibration& calibration) {
  const auto groups = static_cast<double>(calibration.groups.size());
  std::vector<std::string> warnings;

  const Found trend = find_groups(
      calibration,
      [&](const CalibratedGroup& group) {
        return group.trend_p < kSignificance / groups && group.trend > kNotableBias;
      },
      [](const CalibratedGroup& group) { return group.trend; });
  if (trend.count > 0) {
    warnings.push_back(fmt::format(
        "{} residuals whose mean changes with the loss (F test, {}; a mean of {:.2g} standard "
        "deviations in a range of losses): a line does not fit, and observations are biased",
        groups_that_have(calibration, trend.count, trend.worst->name), p_text(trend.worst->trend_p),
        trend.worst->trend));
  }

  const Found lines = find_groups(
      calibration,
      [&](const CalibratedGroup& group) {
        return group.lines_p < kSignificance / groups && group.lines_apart > kNotableBias;
      },
      [](const CalibratedGroup& group) { return group.lines_apart; });
  if (lines.count > 0) {
    warnings.push_back(fmt::format(
        "{} arcs with different lines (F test, {}; {:.2g} standard deviations from the "
        "line of the group): it does not fit all arcs, and observations are biased; expected arcs "
        "that are alike in a group, or a line for each arc",
        groups_that_have(calibration, lines.count, lines.worst->name), p_text(lines.worst->lines_p),
        lines.worst->lines_apart));
  }

  const Found tails = find_groups(
      calibration,
      [](const CalibratedGroup& group) {
        return group.pairs >= kLeastForTails && group.kurtosis > kHeavyKurtosis;
      },
      [](const CalibratedGroup& group) { return group.kurtosis; });
  if (tails.count > 0) {
    warnings.push_back(fmt::format(
        "{} residuals with heavy tails (kurtosis {:.3g}; 3 if Gaussian, 6 if Laplace): {}",
        groups_that_have(calibration, tails.count, tails.worst->name), tails.worst->kurtosis,
        calibration.options.noise_bound && calibration.options.quantile == 1
            ? "the largest residual grows with the number of pairs and is no bound; expected a "
              "quantile, or weights by spread"
            : "single readings may be far off"));
  }

  const Found ends = find_groups(
      calibration,
      [&](const CalibratedGroup& group) { return group.ends_p < kSignificance / groups; },
      [](const CalibratedGroup& group) { return -group.ends_p; });
  if (ends.count > 0 && calibration.options.noise_bound && calibration.options.quantile == 1) {
    warnings.push_back(fmt::format(
        "{} few residuals near the largest ({}): the largest error may exceed the limit from "
        "which the weight is computed; expected a quantile, or weights by spread",
        groups_that_have(calibration, ends.count, ends.worst->name), p_text(ends.worst->ends_p)));
  }

  for (const char* reason : {kFewPairs, kNoSlope, kEqualOutcomes}) {
    const Found none = find_groups(
        calibration, [&](const CalibratedGroup& group) { return group.no_weight == reason; },
        [](const CalibratedGroup& group) { return static_cast<double>(group.pairs); });
    if (none.count > 0) {
      warnings.push_back(fmt::format(
          "{} no weight: {}", groups_that_have(calibration, none.count, none.worst->name), reason));
    }
  }

  const HeldOut& held = calibration.held_out;
  // P(a Poisson variable of mean `allowed` is `beyond` or more).
  if (held.beyond > 0 &&
      regularized_gamma(static_cast<double>(held.beyond), held.allowed) < kSignificance) {
    warnings.push_back(fmt::format(
        "{} of {} held-out pairs have noise beyond the bound, expected about {}: the bound does "
        "not hold for new readings",
        grouped_digits(held.beyond), grouped_digits(held.pairs), four_digits(held.allowed)));
  }
  constexpr double kNotableNoise =
      1.2;  // the mean square; the weights are cautious, so it is below 1
  if (!calibration.options.noise_bound && held.mean_square > kNotableNoise) {
    warnings.push_back(fmt::format(
        "the noise of held-out pairs has the mean square {:.3g}, expected at most 1: the "
        "weights do not hold for new readings",
        held.mean_square));
  }
  return warnings;
}

}  // namespace hearsay
