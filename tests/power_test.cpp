#include "hearsay/base/power.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tests/random_source.h"

namespace hearsay {
namespace {

// Each root and each product is off by at most half a unit in the last place, relative to 1 that is
// epsilon / 2. Three operations, of which a root halves what was there before it.
TEST(Power, OfRootsAndProductsIsThatOfThePowerFunction) {
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
