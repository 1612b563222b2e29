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

// A p-value below the smallest number that can be computed is not 0.
std::string p_text(double p) {
  constexpr double kLeast = 1e-300;
  return p < kLeast ? fmt::format("p < {}", kLeast) : fmt::format("p = {:.2g}", p);
}

// How many groups `applies` selects, and the one of them with the largest value(group).
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

// "the group 'near' has" or "3 of 20 groups (such as 'near') have"
std::string groups_that_have(const Calibration& calibration, const Found& found) {
  return found.count == 1
             ? fmt::format("the group {} has", in_quotes(found.worst->name))
             : fmt::format("{} of {} groups (such as {}) have", grouped_digits(found.count),
                           grouped_digits(calibration.groups.size()), in_quotes(found.worst->name));
}

// The level of a test in one group, so that all groups together have kSignificance.
double level_of(const Calibration& calibration) {
  return kSignificance / static_cast<double>(calibration.groups.size());
}

// The functions whose names end in _warning return the sentence of a warning, or an empty string if
// there is nothing to warn about.

std::string trend_warning(const Calibration& calibration) {
  const Found found = find_groups(
      calibration,
      [&](const CalibratedGroup& group) {
        return group.trend_p < level_of(calibration) && group.trend > kNotableBias;
      },
      [](const CalibratedGroup& group) { return group.trend; });
  if (found.count == 0) {
    return "";
  }
  return fmt::format(
      "{} residuals whose mean changes with the loss (F test, {}; a mean of {:.2g} standard "
      "deviations in a range of losses): a line does not fit, and observations are biased",
      groups_that_have(calibration, found), p_text(found.worst->trend_p), found.worst->trend);
}

std::string lines_warning(const Calibration& calibration) {
  const Found found = find_groups(
      calibration,
      [&](const CalibratedGroup& group) {
        return group.lines_p < level_of(calibration) && group.lines_apart > kNotableBias;
      },
      [](const CalibratedGroup& group) { return group.lines_apart; });
  if (found.count == 0) {
    return "";
  }
  return fmt::format(
      "{} arcs with different lines (F test, {}; {:.2g} standard deviations from the "
      "line of the group): it does not fit all arcs, and observations are biased; expected arcs "
      "that are alike in a group, or a line for each arc",
      groups_that_have(calibration, found), p_text(found.worst->lines_p), found.worst->lines_apart);
}

// Whether the largest residual is taken as a bound on the noise.
bool is_bounded_by_largest(const Calibration& calibration) {
  return calibration.options.noise_bound && calibration.options.quantile == 1;
}

std::string tails_warning(const Calibration& calibration) {
  const Found found = find_groups(
      calibration,
      [](const CalibratedGroup& group) {
        return group.pairs >= kLeastForTails && group.kurtosis > kHeavyKurtosis;
      },
      [](const CalibratedGroup& group) { return group.kurtosis; });
  if (found.count == 0) {
    return "";
  }
  return fmt::format(
      "{} residuals with heavy tails (kurtosis {:.3g}; 3 if Gaussian, 6 if Laplace): {}",
      groups_that_have(calibration, found), found.worst->kurtosis,
      is_bounded_by_largest(calibration)
          ? "the largest residual grows with the number of pairs and is no bound; expected a "
            "quantile, or weights by spread"
          : "single readings may be far off");
}

std::string ends_warning(const Calibration& calibration) {
  const Found found = find_groups(
      calibration,
      [&](const CalibratedGroup& group) { return group.ends_p < level_of(calibration); },
      [](const CalibratedGroup& group) { return -group.ends_p; });
  if (found.count == 0 || !is_bounded_by_largest(calibration)) {
    return "";
  }
  return fmt::format(
      "{} few residuals near the largest ({}): the largest error may exceed the limit from "
      "which the weight is computed; expected a quantile, or weights by spread",
      groups_that_have(calibration, found), p_text(found.worst->ends_p));
}

std::string no_weight_warning(const Calibration& calibration, const char* reason) {
  const Found found = find_groups(
      calibration, [&](const CalibratedGroup& group) { return group.no_weight == reason; },
      [](const CalibratedGroup& group) { return static_cast<double>(group.pairs); });
  return found.count == 0
             ? ""
             : fmt::format("{} no weight: {}", groups_that_have(calibration, found), reason);
}

std::string held_out_bound_warning(const HeldOut& held) {
  // P(a Poisson variable of mean `allowed` is `beyond` or more).
  if (held.beyond == 0 ||
      regularized_gamma(static_cast<double>(held.beyond), held.allowed) >= kSignificance) {
    return "";
  }
  return fmt::format(
      "{} of {} held-out pairs have noise beyond the bound, expected about {}: the bound does "
      "not hold for new readings",
      grouped_digits(held.beyond), grouped_digits(held.pairs), four_digits(held.allowed));
}

std::string held_out_spread_warning(const Calibration& calibration) {
  // The weights are lower confidence limits, so the mean square is below 1 if the model holds.
  constexpr double kNotableMeanSquare = 1.2;
  const double mean_square = calibration.held_out.mean_square;
  if (calibration.options.noise_bound || !(mean_square > kNotableMeanSquare)) {
    return "";
  }
  return fmt::format(
      "the noise of held-out pairs has the mean square {:.3g}, expected at most 1: the "
      "weights do not hold for new readings",
      mean_square);
}

}  // namespace

std::vector<std::string> warnings_of(const Calibration& calibration) {
  std::vector<std::string> warnings = {trend_warning(calibration),
                                       lines_warning(calibration),
                                       tails_warning(calibration),
                                       ends_warning(calibration),
                                       no_weight_warning(calibration, kFewPairs),
                                       no_weight_warning(calibration, kNoSlope),
                                       no_weight_warning(calibration, kEqualOutcomes),
                                       held_out_bound_warning(calibration.held_out),
                                       held_out_spread_warning(calibration)};
  std::erase(warnings, "");
  return warnings;
}

}  // namespace hearsay
