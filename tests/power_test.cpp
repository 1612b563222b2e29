#include "hearsay/base/power.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/random_source.h"

namespace hearsay {
namespace {

// Each root and each product has a relative error of at most epsilon / 2. There are at most three
// operations, and a root halves the relative error of its argument.
TEST(Power, MatchesThePowerFunction) {
  RandomSource dice(5);
  for (int i = 0; i < 10'000; ++i) {
    const double x = std::exp(40 * (dice.uniform() - 0.5));
    for (const double exponent : {0.25, 0.5, 0.75, 2.0, 4.0, 0.3, 10.0 / 7}) {
      const double expected = std::pow(x, exponent);
      EXPECT_NEAR(power(x, exponent), expected,
                  2 * std::numeric_limits<double>::epsilon() * expected)
          << x << " to " << exponent;
    }
  }
  for (const double exponent : {0.25, 0.5, 0.75, 2.0, 4.0}) {
    EXPECT_EQ(power(0, exponent), 0);
    EXPECT_EQ(power(1, exponent), 1);
  }
}

}  // namespace
}  // namespace hearsay
