#include "hearsay/simd/reciprocal.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/random/stream.h"
#include "tests/simd_targets.h"

namespace hearsay {
namespace {

constexpr double kLeast = std::numeric_limits<double>::min();

TEST(Reciprocals, HaveTheSameBitsAsThePlainLoopWithEveryTarget) {
  with_every_target([] {
    for (const std::size_t n : {0UL, 1UL, 7UL, 8UL, 25UL, 100UL}) {
      for (const double addend : {0.0, 0.03}) {
        std::vector<double> values(n);
        Stream(1, Purpose::test).fill_uniform(1, values);
        std::vector<double> expected(n);
        std::ranges::transform(values, expected.begin(),
                               [&](double value) { return 1 / std::max(value + addend, kLeast); });
        std::vector<double> out(n);
        reciprocals(values, addend, kLeast, out);
        EXPECT_EQ(out, expected) << n;
        reciprocals(values, addend, kLeast, values);
        EXPECT_EQ(values, expected) << n;
      }
    }
  });
}

TEST(Reciprocals, AreFiniteForNumbersBelowTheLeastOne) {
  with_every_target([] {
    std::vector<double> values(9, 0.0);
    reciprocals(values, 0, kLeast, values);
    EXPECT_EQ(values, std::vector<double>(9, 1 / kLeast));
  });
}

}  // namespace
}  // namespace hearsay
