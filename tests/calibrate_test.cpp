// calibrate(): hand-made cases in closed form, and planted weights that its intervals must contain.

#include "hearsay/problem/calibrate.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/distributions.h"
#include "hearsay/random/stream.h"
#include "tests/message_of.h"

namespace hearsay {
namespace {

// Pairs of arm 0 played and arm 1 seen.
Pairs pairs_of(const std::vector<double>& losses, const std::vector<double>& readings) {
  Pairs pairs;
  pairs.names = {"home", "shop"};
  pairs.played.assign(losses.size(), 0);
  pairs.seen.assign(losses.size(), 1);
  pairs.loss = losses;
  pairs.reading = readings;
  return pairs;
}

CalibratedGroup only_group(const Pairs& pairs, const CalibrationOptions& options) {
  const Calibration calibration = calibrate(pairs, options);
  EXPECT_EQ(calibration.groups.size(), 1U);
  return calibration.groups.front();
}

// The line is reading = loss, the residuals are 0.1, -0.1, 0, 0.1, -0.1.
const std::vector<double> kLosses = {0, 0, 0.5, 1, 1};
const std::vector<double> kReadings = {0.1, -0.1, 0.5, 1.1, 0.9};

TEST(Calibrate, TheLineOfASmallCaseIsTheOneComputedByHand) {
  const CalibratedGroup group = only_group(pairs_of(kLosses, kReadings), {.noise_bound = 1});
  const double spread = std::sqrt(0.04 / 3);
  EXPECT_EQ(group.name, "home -> shop");
  EXPECT_EQ(group.pairs, 5U);
  EXPECT_EQ(group.arcs, 1U);
  EXPECT_NEAR(group.offset, 0, 1e-15);
  EXPECT_NEAR(group.slope, 1, 1e-15);
  EXPECT_NEAR(group.spread, spread, 1e-15);
  // The squared deviations of the losses from their mean add up to 1.
  EXPECT_NEAR(group.slope_error, spread, 1e-15);
  EXPECT_NEAR(group.residual_bound, 0.1, 1e-15);
  EXPECT_NEAR(group.kurtosis, 5 * 4e-4 / (0.04 * 0.04), 1e-12);
  EXPECT_NEAR(group.weight_estimate, 1 / 1.1, 1e-15);
}

// The limits that docs/calibrate.md states, step by step.
TEST(Calibrate, TheWeightOfASmallCaseIsTheLowerLimitComputedByHand) {
  const double spread = std::sqrt(0.04 / 3);
  const double student = student_quantile(0.975, 3);
  const double slope = 1 - student * spread;
  const double leverage = 1.0 / 5 + 0.25;
  const double bound = 0.1 / (1 - leverage) / (1 - std::sqrt(1 - std::pow(0.025, 1.0 / 5)));
  for (const double noise_bound : {0.5, 1.0, 3.0}) {
    const CalibratedGroup group =
        only_group(pairs_of(kLosses, kReadings), {.noise_bound = noise_bound});
    EXPECT_NEAR(group.weight, noise_bound / (noise_bound + bound / slope), 1e-12);
    EXPECT_EQ(group.weight_high, 1);  // the band around the line is wider than the residuals
  }
  const CalibratedGroup group = only_group(pairs_of(kLosses, kReadings), {});
  const double largest_spread = spread * std::sqrt(3 / chi_square_quantile(0.025, 3));
  EXPECT_NEAR(group.weight, 1 / (1 + largest_spread / slope), 1e-12);
  EXPECT_NEAR(group.weight_estimate, 1 / (1 + spread), 1e-15);
  const double smallest_spread = spread * std::sqrt(3 / chi_square_quantile(0.975, 3));
  EXPECT_NEAR(group.weight_high, 1 / (1 + smallest_spread / (1 + student * spread)), 1e-12);
}

TEST(Calibrate, ExactReadingsGetWeightOneInAnyUnits) {
  std::vector<double> losses;
  std::vector<double> readings;
  for (int i = 0; i < 20; ++i) {
    losses.push_back(i / 19.0);
    readings.push_back(95 - 90 * losses.back());
  }
  for (const CalibrationOptions& options :
       {CalibrationOptions{}, CalibrationOptions{.noise_bound = 1}}) {
    const CalibratedGroup group = only_group(pairs_of(losses, readings), options);
    EXPECT_NEAR(group.offset, 95, 1e-12);
    EXPECT_NEAR(group.slope, -90, 1e-12);
    EXPECT_NEAR(group.weight, 1, 1e-13);
    EXPECT_EQ(group.trend_p, 1);
  }
}

TEST(Calibrate, WeightsDependNeitherOnTheUnitNorOnTheSignOfReadings) {
  for (const auto& options :
       {CalibrationOptions{}, CalibrationOptions{.quantile = 0.9, .noise_bound = 2}}) {
    const CalibratedGroup one = only_group(pairs_of(kLosses, kReadings), options);
    for (const double factor : {-1.0, 0x1p300, 0x1p-300}) {
      std::vector<double> readings = kReadings;
      for (double& reading : readings) {
        reading *= factor;
      }
      const CalibratedGroup other = only_group(pairs_of(kLosses, readings), options);
      EXPECT_EQ(other.weight, one.weight) << factor;
      EXPECT_EQ(other.weight_estimate, one.weight_estimate) << factor;
      EXPECT_EQ(other.slope, factor * one.slope) << factor;
      EXPECT_EQ(other.kurtosis, one.kurtosis) << factor;
    }
  }
}

// The size of an error is above x with the probability (1 - x)^2 if triangular, (1 - x)^3 if cubic,
// and (1 - x)^2 (1 + x / 2) if parabolic, which is the law Beta(2, 2) on [-1, 1].
enum class Law { uniform, rademacher, gaussian, laplace, triangular, parabolic, cubic };

struct LawNumbers {
  double bound;
  double spread;
};

LawNumbers law_numbers(Law law) {
  return law == Law::uniform      ? LawNumbers{1, 1 / std::sqrt(3)}
         : law == Law::rademacher ? LawNumbers{1, 1}
         : law == Law::gaussian   ? LawNumbers{0, 1}
         : law == Law::laplace    ? LawNumbers{0, std::sqrt(2)}
         : law == Law::triangular ? LawNumbers{1, 1 / std::sqrt(6)}
         : law == Law::parabolic  ? LawNumbers{1, 1 / std::sqrt(5)}
                                  : LawNumbers{1, 1 / std::sqrt(10)};
}

double draw(Law law, const Stream& stream, std::uint64_t round, std::uint64_t i) {
  const double u = stream.uniform(round, 3 * i + 1);
  switch (law) {
    case Law::uniform:
      return 2 * u - 1;
    case Law::rademacher:
      return u < 0.5 ? -1 : 1;
    case Law::gaussian:  // Box and Muller
      return std::sqrt(-2 * std::log1p(-u)) * std::cos(2 * M_PI * stream.uniform(round, 3 * i + 2));
    case Law::triangular:
    case Law::cubic: {
      const double rest = stream.uniform(round, 3 * i + 2);
      const double size = 1 - (law == Law::triangular ? std::sqrt(rest) : std::cbrt(rest));
      return u < 0.5 ? -size : size;
    }
    case Law::parabolic:
      return -2 * std::sin(std::asin(1 - 2 * u) / 3);
    case Law::laplace:
      break;
  }
  return u < 0.5 ? std::log1p(-2 * u) : -std::log1p(-2 * (1 - u));
}

// reading = 2 - 4 loss + size * 4 * error, so in units of the loss the errors are `size` times
// those of the law.
Pairs planted(Law law, double size, std::size_t count, std::uint64_t round) {
  const Stream stream(5, Purpose::noise);
  std::vector<double> losses(count);
  std::vector<double> readings(count);
  for (std::size_t i = 0; i < count; ++i) {
    losses[i] = stream.uniform(round, 3 * i);
    readings[i] = 2 - 4 * losses[i] + 4 * size * draw(law, stream, round, i);
  }
  return pairs_of(losses, readings);
}

// Over many calibrations, each limit holds at least as often as it claims, within 3.5 standard
// deviations of a binomial count.
TEST(Calibrate, TheLimitsContainPlantedWeightsAsOftenAsTheyClaim) {
  constexpr std::size_t kRepetitions = 300;
  const double least =
      kCalibrationConfidence * kRepetitions -
      3.5 * std::sqrt(kRepetitions * kCalibrationConfidence * (1 - kCalibrationConfidence));
  for (const Law law : {Law::uniform, Law::rademacher, Law::gaussian, Law::laplace}) {
    const LawNumbers numbers = law_numbers(law);
    for (const std::size_t count : {10U, 30U, 300U}) {
      for (const double size : {0.05, 0.4}) {
        std::size_t spread_low = 0;
        std::size_t spread_high = 0;
        std::size_t bound_low = 0;
        std::size_t bound_high = 0;
        for (std::uint64_t round = 1; round <= kRepetitions; ++round) {
          const Pairs pairs = planted(law, size, count, round);
          const CalibratedGroup spread = only_group(pairs, {});
          const double by_spread = 1 / (1 + size * numbers.spread);
          spread_low += spread.weight <= by_spread ? 1 : 0;
          spread_high += spread.weight_high >= by_spread ? 1 : 0;
          if (numbers.bound > 0) {
            const CalibratedGroup bound = only_group(pairs, {.noise_bound = 0.5});
            const double by_bound = 0.5 / (0.5 + size * numbers.bound);
            bound_low += bound.weight <= by_bound ? 1 : 0;
            bound_high += bound.weight_high >= by_bound ? 1 : 0;
          }
        }
        const auto case_text = [&] {
          return std::to_string(static_cast<int>(law)) + " " + std::to_string(count);
        };
        EXPECT_GE(spread_low, least) << case_text();
        EXPECT_GE(spread_high, least) << case_text();
        if (numbers.bound > 0) {
          EXPECT_GE(bound_low, least) << case_text();
          EXPECT_GE(bound_high, least) << case_text();
        }
      }
    }
  }
}

bool warns(const Calibration& calibration, const std::string& text) {
  return std::ranges::any_of(calibration.warnings, [&](const std::string& warning) {
    return warning.find(text) != std::string::npos;
  });
}

// How many of `repetitions` calibrations of `count` pairs have a weight of at most the planted one,
// and how many warn that few errors are near the largest.
struct HeldCounts {
  std::size_t weights = 0;
  std::size_t warnings = 0;
};

HeldCounts count_held_limits(Law law, std::size_t count, std::size_t repetitions) {
  HeldCounts counts;
  for (std::uint64_t round = 1; round <= repetitions; ++round) {
    const Calibration found = calibrate(planted(law, 0.3, count, round), {.noise_bound = 1});
    counts.weights += found.groups.front().weight <= 1 / 1.3 ? 1U : 0U;
    counts.warnings += warns(found, "few residuals near the largest") ? 1U : 0U;
  }
  return counts;
}

// The limit is derived for laws with P(|error| > x B) >= (1 - x)^2. The triangular law attains it.
TEST(Calibrate, TheLimitOfTheLargestErrorHoldsForItsLawsAndAnyNumberOfPairs) {
  for (const Law law : {Law::uniform, Law::rademacher, Law::triangular, Law::parabolic}) {
    for (const auto& [count, repetitions] :
         {std::pair(10U, 600U), {100U, 600U}, {1000U, 300U}, {10'000U, 100U}}) {
      const HeldCounts counts = count_held_limits(law, count, repetitions);
      const double expected = kCalibrationConfidence * repetitions;
      EXPECT_GE(static_cast<double>(counts.weights),
                expected - 3.5 * std::sqrt(expected * (1 - kCalibrationConfidence)))
          << static_cast<int>(law) << ", " << count << " pairs";
      RecordProperty(std::to_string(static_cast<int>(law)) + "_" + std::to_string(count),
                     std::to_string(counts.weights) + " of " + std::to_string(repetitions));
      EXPECT_LE(counts.warnings, 2U);  // the probability of one is at most 0.001
    }
  }
}

// For a law with fewer errors near the largest the limit does not hold, and there is a warning if
// there are enough pairs.
TEST(Calibrate, WarnsIfTheLimitOfTheLargestErrorNeedNotHold) {
  const HeldCounts counts = count_held_limits(Law::cubic, 10'000, 20);
  EXPECT_LT(counts.weights, 20U * 0.95);
  EXPECT_EQ(counts.warnings, 20U);
  const Pairs pairs = planted(Law::cubic, 0.3, 10'000, 1);
  EXPECT_FALSE(warns(calibrate(pairs), "near the largest"));
  EXPECT_FALSE(warns(calibrate(pairs, {.quantile = 0.99, .noise_bound = 1}), "near the largest"));
}

// The p-value by its formula, on residuals of which a third is 1 or -1 and two thirds are 0: at t =
// 0 the share is 2/3, and 1 - (1 - t)^2 is 0.
TEST(Calibrate, ThePValueOfTheEndsIsTheOneComputedByHand) {
  std::vector<double> losses;
  std::vector<double> readings;
  for (int i = 0; i < 10; ++i) {
    for (const double loss : {0.0, 1.0}) {
      for (const double residual : {-1.0, 0.0, 0.0, 0.0, 0.0, 1.0}) {
        losses.push_back(loss);
        readings.push_back(loss + residual);
      }
    }
  }
  const double p = only_group(pairs_of(losses, readings), {.noise_bound = 1}).ends_p;
  EXPECT_NEAR(std::log(p), -2 * 120 * 4.0 / 9, 1e-6);
  EXPECT_EQ(only_group(pairs_of(losses, losses), {.noise_bound = 1}).ends_p, 1);
  losses.resize(48);
  readings.resize(48);
  EXPECT_EQ(only_group(pairs_of(losses, readings), {.noise_bound = 1}).ends_p, 1);  // too few
}

// A quantile's limits need no assumption about the law. The 0.9 quantile of |uniform| is 0.9, that
// of |Laplace| is ln 10.
TEST(Calibrate, TheLimitsOfAQuantileHoldForAnyLaw) {
  for (const auto& [law, quantile] : {std::pair(Law::uniform, 0.9), {Law::laplace, std::log(10)}}) {
    // Of 15 pairs, not even the largest residual is such a limit.
    for (const std::size_t count : {15U, 100U}) {
      std::size_t low = 0;
      std::size_t high = 0;
      for (std::uint64_t round = 1; round <= 300; ++round) {
        const CalibratedGroup group =
            only_group(planted(law, 0.2, count, round), {.quantile = 0.9, .noise_bound = 1});
        low += group.weight <= 1 / (1 + 0.2 * quantile) ? 1 : 0;
        high += group.weight_high >= 1 / (1 + 0.2 * quantile) ? 1 : 0;
        EXPECT_LE(group.beyond, 0.1);
        EXPECT_GT(group.beyond, 0);
      }
      EXPECT_GE(low, 300 * 0.95 - 3.5 * std::sqrt(300 * 0.95 * 0.05)) << count;
      EXPECT_GE(high, 300 * 0.95 - 3.5 * std::sqrt(300 * 0.95 * 0.05)) << count;
    }
  }
}

TEST(Calibrate, WeightsOfManyPairsAreThoseThatWerePlanted) {
  for (const std::size_t count : {10'000U, 1'000'000U}) {
    // The standard errors of slope and spread, and the limits, are a few times 1 / sqrt(count).
    const double tolerance = 10 / std::sqrt(static_cast<double>(count));
    for (const Law law : {Law::uniform, Law::rademacher, Law::gaussian, Law::laplace}) {
      const LawNumbers numbers = law_numbers(law);
      const Pairs pairs = planted(law, 0.3, count, 7);
      const CalibratedGroup spread = only_group(pairs, {});
      EXPECT_NEAR(spread.weight, 1 / (1 + 0.3 * numbers.spread), tolerance);
      EXPECT_LE(spread.weight, spread.weight_estimate);
      EXPECT_LE(spread.weight_estimate, spread.weight_high);
      if (numbers.bound > 0) {
        EXPECT_NEAR(only_group(pairs, {.noise_bound = 2}).weight, 2 / (2 + 0.3), tolerance);
      }
    }
  }
}

// Checks that the mean of observation - weight * loss is 0 on pairs that the line was not fitted
// to. Its standard error has a part for these pairs and one for the line.
TEST(Calibrate, CorrectedReadingsAreUnbiasedObservations) {
  constexpr std::size_t kCount = 100'000;
  const CalibratedGroup group = only_group(planted(Law::uniform, 0.3, kCount, 1), {});
  const Pairs fresh = planted(Law::uniform, 0.3, kCount, 2);
  double sum = 0;
  double errors_times_losses = 0;  // adds up to 0 only if the slope is right
  for (std::size_t i = 0; i < kCount; ++i) {
    const double observation = group.weight * (fresh.reading[i] - group.offset) / group.slope;
    const double error = observation - group.weight * fresh.loss[i];
    sum += error;
    errors_times_losses += error * (fresh.loss[i] - 0.5);
    // The noise of the model has the spread 1, so that uniform noise is at most sqrt(3). A tenth is
    // allowed for the errors of the line.
    EXPECT_LE(std::abs(error), (1 - group.weight) * std::sqrt(3) * 1.1);
  }
  const double spread = group.weight * 0.3 / std::sqrt(3);
  const double standard_error = spread * std::sqrt(2.0 / kCount);
  EXPECT_NEAR(sum / kCount, 0, 4 * standard_error);
  EXPECT_NEAR(errors_times_losses / kCount, 0, 4 * standard_error / std::sqrt(12));
}

TEST(Calibrate, ReadingsThatShowNothingGetNoWeight) {
  const Stream stream(9, Purpose::noise);
  std::vector<double> losses(50);
  std::vector<double> readings(50);
  for (std::size_t i = 0; i < 50; ++i) {
    losses[i] = stream.uniform(1, i);
    readings[i] = stream.uniform(2, i);
  }
  const Calibration calibration = calibrate(pairs_of(losses, readings));
  EXPECT_EQ(calibration.groups[0].no_weight, "the slope is not distinguishable from 0");
  EXPECT_EQ(calibration.groups[0].weight, 0);
  EXPECT_EQ(calibration.graph.arc_count(), 0U);
  EXPECT_EQ(calibration.graph.arms(), 2U);
  ASSERT_EQ(calibration.warnings.size(), 1U);
  EXPECT_EQ(calibration.warnings[0],
            "the group 'home -> shop' has no weight: the slope is not distinguishable from 0");

  EXPECT_EQ(only_group(pairs_of({0.5, 0.5, 0.5, 0.5, 0.5}, kReadings), {}).no_weight,
            "the outcomes are all equal");
  EXPECT_EQ(only_group(pairs_of({0, 0.5, 1, 0.25}, {0, 0.5, 1, 0.25}), {}).no_weight,
            "there are fewer than 5 pairs");
  EXPECT_EQ(only_group(pairs_of(kLosses, {3, 3, 3, 3, 3}), {}).no_weight,
            "the slope is not distinguishable from 0");
}

// Three arcs with two planted sizes of errors.
Pairs three_arcs() {
  Pairs pairs;
  pairs.names = {"a", "b", "c"};
  pairs.group_names = {"near", "far"};
  const Stream stream(11, Purpose::noise);
  for (std::size_t i = 0; i < 600; ++i) {
    const std::size_t arc = i % 3;
    pairs.played.push_back(arc == 2 ? 1 : 0);
    pairs.seen.push_back(arc == 0 ? 1 : 2);
    pairs.group.push_back(arc == 1 ? 1 : 0);
    pairs.distance.push_back(arc == 1 ? 5 : 1);
    pairs.loss.push_back(stream.uniform(1, i));
    pairs.reading.push_back(pairs.loss.back() +
                            (arc == 1 ? 0.5 : 0.1) * (2 * stream.uniform(2, i) - 1));
  }
  return pairs;
}

TEST(Calibrate, ArcsOfAGroupOrADistanceShareALine) {
  const Pairs pairs = three_arcs();
  const Calibration by_arc = calibrate(pairs);
  EXPECT_EQ(by_arc.groups.size(), 3U);
  for (const PooledBy by : {PooledBy::group, PooledBy::distance}) {
    const Calibration pooled = calibrate(pairs, {.by = by, .bins = 2});
    ASSERT_EQ(pooled.groups.size(), 2U);
    EXPECT_EQ(pooled.groups[0].name, by == PooledBy::group ? "near" : "1");
    EXPECT_EQ(pooled.groups[1].name, by == PooledBy::group ? "far" : "5");
    EXPECT_EQ(pooled.groups[0].pairs, 400U);
    EXPECT_EQ(pooled.groups[0].arcs, 2U);
    EXPECT_EQ(pooled.arcs.size(), 3U);
    EXPECT_EQ(pooled.graph.weight(0, 1), pooled.groups[0].weight);
    EXPECT_EQ(pooled.graph.weight(1, 2), pooled.groups[0].weight);
    EXPECT_EQ(pooled.graph.weight(0, 2), pooled.groups[1].weight);
    EXPECT_EQ(pooled.graph.weight(2, 0), 0);
    // More pairs make the limit sharper.
    EXPECT_GT(pooled.graph.weight(0, 1),
              std::min(by_arc.graph.weight(0, 1), by_arc.graph.weight(1, 2)));
    EXPECT_EQ(pooled.groups[1].weight, by_arc.graph.weight(0, 2));
  }
}

TEST(Calibrate, OptionsAndColumnsThatDoNotFitAreRefused) {
  const auto message = [](const Pairs& pairs, const CalibrationOptions& options) {
    return message_of([&] { calibrate(pairs, options); });
  };
  const Pairs plain = pairs_of(kLosses, kReadings);
  EXPECT_EQ(message(plain, {.by = PooledBy::group}),
            "by: is group, but the pairs have no column group");
  EXPECT_EQ(message(plain, {.by = PooledBy::distance}),
            "by: is distance, but the pairs have no column distance");
  EXPECT_EQ(message(plain, {.quantile = 0.4}), "quantile: is 0.4, expected a number in [0.5, 1]");
  EXPECT_EQ(message(plain, {.noise_bound = 0}),
            "noise_bound: is 0, expected a positive number up to 1e+100");
  EXPECT_EQ(message(plain, {.bins = 0}).substr(0, 11), "bins: is 0,");
  Pairs mixed = three_arcs();
  mixed.group[3] = 1;
  EXPECT_EQ(message(mixed, {.by = PooledBy::group}),
            "group: is 'near' and 'far' for the pairs of a -> b, expected one for each arc");
  mixed.distance[3] = 2;
  EXPECT_EQ(message(mixed, {.by = PooledBy::distance}),
            "distance: is 1 and 2 for the pairs of a -> b, expected one for each arc");
}

TEST(Calibrate, WarnsIfTheMeanOfTheResidualsChangesWithTheLoss) {
  Pairs curved = planted(Law::uniform, 0.1, 400, 3);
  EXPECT_EQ(calibrate(curved).warnings, std::vector<std::string>());
  for (std::size_t i = 0; i < curved.size(); ++i) {
    curved.reading[i] += 2 * curved.loss[i] * curved.loss[i];
  }
  const Calibration calibration = calibrate(curved);
  EXPECT_TRUE(warns(calibration, "mean changes with the loss"));
  EXPECT_LT(calibration.groups[0].trend_p, 1e-6);
}

// One group of arcs 0 -> 1, 0 -> 2 and so on. `counts` has the number of pairs of each. The line of
// an arc is reading = offset + loss, with errors of a law.
Pairs pooled_arcs(const std::vector<std::size_t>& counts, const std::vector<double>& offsets,
                  Law law, std::uint64_t round) {
  Pairs pairs;
  pairs.names = {"0"};
  pairs.group_names = {"near"};
  const Stream stream(7, Purpose::noise);
  for (std::size_t arc = 0; arc < counts.size(); ++arc) {
    pairs.names.push_back(std::to_string(arc + 1));
    for (std::size_t k = 0; k < counts[arc]; ++k) {
      const std::size_t i = pairs.size();
      pairs.played.push_back(0);
      pairs.seen.push_back(static_cast<Arm>(arc + 1));
      pairs.group.push_back(0);
      pairs.loss.push_back(stream.uniform(round, 3 * i));
      pairs.reading.push_back(offsets[arc] + pairs.loss.back() + draw(law, stream, round, i));
    }
  }
  return pairs;
}

TEST(Calibrate, TheTestOfDifferentLinesIsTheFTestOfTheLinesByArc) {
  const Pairs pairs = pooled_arcs({12, 20, 9}, {0, 0.3, 0}, Law::uniform, 1);
  const CalibratedGroup pooled = only_group(pairs, {.by = PooledBy::group});
  ASSERT_LT(pooled.kurtosis, 3);
  const auto squares = [](const CalibratedGroup& group) {
    return group.spread * group.spread * static_cast<double>(group.pairs - 2);
  };
  double within = 0;
  for (const CalibratedGroup& arc : calibrate(pairs).groups) {
    within += squares(arc);
    EXPECT_EQ(arc.lines_p, 1);  // there is only one arc
  }
  const double between = squares(pooled) - within;
  EXPECT_NEAR(pooled.lines_p, f_tail(between / 4 / (within / 35), 4, 35), 1e-9);
  EXPECT_NEAR(pooled.lines_apart,
              std::sqrt(std::max(0.0, between - 4 * within / 35) / 41) / pooled.spread, 1e-9);
}

// If all arcs have one line, p-values below 5 % have a probability of 5 %: exactly for Gaussian
// errors, about that for others. Bounds: 3.5 standard deviations of a binomial count.
TEST(Calibrate, TheTestOfDifferentLinesHasItsNominalErrorRate) {
  constexpr int kTimes = 600;
  const double margin = 3.5 * std::sqrt(kTimes * 0.05 * 0.95);
  const std::vector<std::vector<std::size_t>> sizes = {
      {12, 12}, {5, 6, 7, 40}, std::vector<std::size_t>(30, 5), {1, 2, 30, 9, 4}};
  for (const Law law : {Law::uniform, Law::gaussian, Law::laplace}) {
    for (const std::vector<std::size_t>& counts : sizes) {
      int below = 0;
      for (int round = 0; round < kTimes; ++round) {
        const Pairs pairs = pooled_arcs(counts, std::vector<double>(counts.size()), law,
                                        static_cast<std::uint64_t>(round));
        below += only_group(pairs, {.by = PooledBy::group}).lines_p < 0.05 ? 1 : 0;
      }
      EXPECT_LT(below, 0.05 * kTimes + margin) << counts.size() << ' ' << static_cast<int>(law);
      if (law == Law::gaussian) {
        EXPECT_GT(below, 0.05 * kTimes - margin) << counts.size();
      }
    }
  }
}

TEST(Calibrate, WarnsIfArcsOfAGroupHaveDifferentLines) {
  // The lines of the arcs are half a standard deviation above and below that of the group.
  const double spread = law_numbers(Law::uniform).spread;
  const double offset = 0.5 * spread;
  const Pairs pairs = pooled_arcs({400, 400}, {-offset, offset}, Law::uniform, 2);
  const Calibration calibration = calibrate(pairs, {.by = PooledBy::group});
  ASSERT_EQ(calibration.warnings.size(), 1);
  EXPECT_EQ(calibration.warnings[0].rfind("the group 'near' has arcs with different lines", 0), 0U)
      << calibration.warnings[0];
  // The two lines have the standard error spread / sqrt(400) each, in units of the whole spread.
  const double whole = std::hypot(spread, offset);
  EXPECT_NEAR(calibration.groups[0].lines_apart, offset / whole, 4 * spread / 20 / whole);
  EXPECT_EQ(calibrate(pairs).warnings, std::vector<std::string>());
  EXPECT_EQ(
      calibrate(pooled_arcs({400, 400}, {0, 0}, Law::uniform, 2), {.by = PooledBy::group}).warnings,
      std::vector<std::string>());
  // With too few pairs there is no test, however different the lines are.
  const CalibratedGroup few =
      only_group(pooled_arcs({11, 12}, {-50, 50}, Law::uniform, 2), {.by = PooledBy::group});
  EXPECT_EQ(few.lines_p, 1);
  EXPECT_EQ(few.lines_apart, 0);
  // Lines that differ, and readings without errors.
  Pairs exact = pooled_arcs({20, 20}, {0, 0}, Law::uniform, 2);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    exact.reading[i] = i < 20 ? exact.loss[i] : -exact.loss[i];
  }
  EXPECT_EQ(only_group(exact, {.by = PooledBy::group}).lines_p, 0);
}

TEST(Calibrate, WarnsOfHeavyTails) {
  // The cube of a Laplace variable has a kurtosis above 100.
  Pairs pairs = planted(Law::uniform, 0, 500, 3);
  const Stream stream(5, Purpose::noise);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs.reading[i] += 0.1 * std::pow(draw(Law::laplace, stream, 4, i), 3);
  }
  EXPECT_TRUE(warns(calibrate(pairs), "heavy tails"));
  EXPECT_TRUE(warns(calibrate(pairs, {.noise_bound = 1}), "expected a quantile"));
  EXPECT_FALSE(warns(calibrate(planted(Law::gaussian, 0.2, 500, 3)), "heavy tails"));
}

TEST(Calibrate, ChecksTheWeightsOnPairsThatAreHeldOut) {
  Pairs pairs = planted(Law::uniform, 0.2, 1000, 3);
  const Calibration by_bound = calibrate(pairs, {.noise_bound = 1});
  EXPECT_EQ(by_bound.held_out.pairs, 200U);
  EXPECT_LE(by_bound.held_out.beyond, 1U);
  EXPECT_NEAR(by_bound.held_out.allowed, 200 / 801.0, 1e-12);
  const Calibration by_spread = calibrate(pairs);
  // The weight is that of the largest spread and the smallest slope which the other pairs allow, so
  // the mean square is less than 1 by their squares. The square of uniform noise has the variance
  // 0.8 in units of its mean: of it come the errors of the mean over the pairs that are held out
  // and of the spread of the others.
  constexpr double kOthers = 800;
  const double degrees = kOthers - 2;
  const double slope_error =
      0.4 / std::sqrt(kOthers);  // errors have 0.4 times the spread of losses
  const double expected = chi_square_quantile(0.025, degrees) / degrees *
                          std::pow(1 - student_quantile(0.975, degrees) * slope_error, 2);
  EXPECT_NEAR(by_spread.held_out.mean_square, expected,
              4 * expected * std::sqrt(0.8 / 200 + 0.8 / kOthers));
  EXPECT_EQ(by_bound.warnings.size() + by_spread.warnings.size(), 0U);
  for (std::size_t i = 4; i < pairs.size(); i += 5) {  // only those that are held out are worse
    pairs.reading[i] = 2 - 4 * pairs.loss[i] + 2 * (pairs.reading[i] - 2 + 4 * pairs.loss[i]);
  }
  const Calibration wrong = calibrate(pairs, {.noise_bound = 1});
  EXPECT_GT(wrong.held_out.beyond, 60U);  // about half of the 200 pairs
  EXPECT_TRUE(warns(wrong, "the bound does not hold for new readings"));
  EXPECT_TRUE(warns(calibrate(pairs), "the weights do not hold for new readings"));
}

// With s = R / (R + error), R (1 - s) / s = error does not depend on R, so alpha^R does not either.
TEST(Calibrate, AlphaRIsTheSameForEveryNoiseBound) {
  const Pairs pairs = three_arcs();
  std::vector<NoiseBoundChoice> choices;
  for (const double noise_bound : {0.1, 0.5, 1.0, 4.0}) {
    choices.push_back(choice_of(calibrate(pairs, {.noise_bound = noise_bound})));
    EXPECT_EQ(choices.back().noise_bound, noise_bound);
  }
  for (const NoiseBoundChoice& choice : choices) {
    EXPECT_TRUE(choice.alpha_r.exact);
    EXPECT_NEAR(choice.alpha_r.upper, choices[0].alpha_r.upper, 1e-9);
    const double r = choice.noise_bound;
    EXPECT_DOUBLE_EQ(choice.wix_cost, (1 + r + r * r) * choice.alpha_star.upper);
    EXPECT_GE(choice.wix_cost, choices[recommended(choices)].wix_cost);
  }
}

}  // namespace
}  // namespace hearsay
