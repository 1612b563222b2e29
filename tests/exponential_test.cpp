#include "hearsay/simd/exponential.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/random/stream.h"
#include "tests/simd_targets.h"

namespace hearsay {
namespace {

// Exponentials of smaller arguments are 0.
constexpr double kEnd = -690;

// Arguments over the whole range, most of them near 0, where the weights are.
std::vector<double> arguments() {
  const Stream stream(1, Purpose::test);
  std::vector<double> values(200001);
  stream.fill_uniform(1, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double scale = i % 4 == 0 ? 710 : i % 4 == 1 ? 40 : i % 4 == 2 ? 1 : 1e-9;
    values[i] *= -scale;
  }
  for (const double special : {0.0, -0.0, -0x1p-60, -std::log(2.0), -std::log(2.0) / 2, kEnd,
                               std::nextafter(kEnd, -700), -708.4, -745.1, -1e300, 230.0, 600.0}) {
    values.push_back(special);
  }
  return values;
}

// The error of `value` as the exponential of `x`, in units in the last place of the exact result.
double error_in_units(double value, double x) {
  if (x < kEnd) {
    return value == 0 ? 0 : std::numeric_limits<double>::infinity();
  }
  const long double exact = std::exp(static_cast<long double>(x));
  const double rounded = static_cast<double>(exact);
  const double next = std::nextafter(rounded, std::numeric_limits<double>::infinity());
  const double below = std::nextafter(rounded, 0.0);
  // At a power of two the neighbours are at different distances; the smaller one counts.
  const double unit = rounded > 0 ? std::min(next - rounded, rounded - below) : next;
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact)) / unit;
}

TEST(Exponentials, AreWithinElevenTenthsOfAUnitInTheLastPlace) {
  const std::vector<double> x = arguments();
  std::vector<double> e = x;
  exponentials(e);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    worst = std::max(worst, error_in_units(e[i], x[i]));
  }
  EXPECT_LT(worst, 1.1);
  RecordProperty("worst_units", std::to_string(worst));
}

TEST(Exponentials, AreOneAtZeroAndZeroBelowTheEndOfTheRange) {
  std::vector<double> e = {0.0, -0.0, -710.0, -1e308, -std::numeric_limits<double>::infinity()};
  exponentials(e);
  EXPECT_EQ(e, (std::vector<double>{1, 1, 0, 0, 0}));
}

TEST(Exponentials, StayFarFromInfinityForTheLargestArguments) {
  std::vector<double> e = {600, 601, 709, 1e17, 1e308, std::numeric_limits<double>::infinity()};
  exponentials(e);
  EXPECT_EQ(e, std::vector<double>(6, e[0]));
  EXPECT_LT(e[0], 1e261);
}

TEST(Exponentials, HaveTheSameBitsWithEveryTargetAndAnyCount) {
  const std::vector<double> x = arguments();
  std::vector<double> one_by_one = x;
  for (double& value : one_by_one) {
    exponentials({&value, 1});
  }
  with_every_target([&] {
    std::vector<double> e = x;
    exponentials(e);
    EXPECT_EQ(std::memcmp(e.data(), one_by_one.data(), e.size() * sizeof(double)), 0);
  });
}

}  // namespace
}  // namespace hearsay
