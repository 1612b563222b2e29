#include "hearsay/learner/row_match.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/learner/observations.h"
#include "hearsay/random/stream.h"
#include "tests/simd_targets.h"

namespace hearsay {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A row of weights, the arm of each, and observations that match it.
struct RowCase {
  std::vector<double> weights;
  std::vector<Arm> arms;  // empty if the row has every arm
  std::vector<Observation> observations;

  RowCase(std::size_t size, bool is_sparse, double noise_bound)
      : weights(size), observations(size) {
    Stream(1, Purpose::test).fill_uniform(1, weights);
    if (size > 0) {
      weights.front() = 1;
      weights.back() = 0;
      // The match must not depend on the padding between the arm and the value.
      std::memset(static_cast<void*>(observations.data()), 0xa5, size * sizeof(Observation));
    }
    for (std::size_t k = 0; k < size; ++k) {
      const Arm arm = static_cast<Arm>(is_sparse ? 3 * k + 1 : k);
      const ObservationRange range(weights[k], noise_bound);
      observations[k].arm = arm;
      observations[k].value = k % 2 == 0 ? range.low : range.high;
      if (is_sparse) {
        arms.push_back(arm);
      }
    }
  }

  bool matches(double noise_bound) const {
    return observations_match_row(observations, weights, arms, noise_bound);
  }
};

template <class Use>
void for_each_case(Use&& use) {
  with_every_target([&] {
    for (const std::size_t size : {0UL, 1UL, 2UL, 7UL, 8UL, 9UL, 25UL, 64UL}) {
      for (const bool is_sparse : {false, true}) {
        for (const double noise_bound : {0.0, 1.0, 3.0, kUnboundedNoise}) {
          SCOPED_TRACE(::testing::Message()
                       << size << " arms, sparse " << is_sparse << ", noise bound " << noise_bound);
          use(RowCase(size, is_sparse, noise_bound), noise_bound);
        }
      }
    }
  });
}

TEST(RowMatch, AcceptsObservationsAtTheLimitsOfTheirRanges) {
  for_each_case([](const RowCase& row, double noise_bound) {  //
    EXPECT_TRUE(row.matches(noise_bound));
  });
}

TEST(RowMatch, FindsAWrongValueAtEveryPosition) {
  for_each_case([](const RowCase& row, double noise_bound) {
    for (std::size_t k = 0; k < row.observations.size(); ++k) {
      const ObservationRange range(row.weights[k], noise_bound);
      for (const double value :
           {std::nextafter(range.low, -kInfinity), std::nextafter(range.high, kInfinity), kNaN,
            -kInfinity, kInfinity}) {
        RowCase changed = row;
        changed.observations[k].value = value;
        EXPECT_FALSE(changed.matches(noise_bound)) << "position " << k << ", value " << value;
      }
    }
  });
}

TEST(RowMatch, FindsAWrongArmAtEveryPosition) {
  for_each_case([](const RowCase& row, double noise_bound) {
    for (std::size_t k = 0; k < row.observations.size(); ++k) {
      for (const Arm bit : {1U, 1U << 31U}) {
        RowCase changed = row;
        changed.observations[k].arm ^= bit;
        EXPECT_FALSE(changed.matches(noise_bound)) << "position " << k << ", bit " << bit;
      }
    }
  });
}

TEST(RowMatch, FindsAMissingAndASurplusObservation) {
  for_each_case([](const RowCase& row, double noise_bound) {
    RowCase changed = row;
    changed.observations.push_back({static_cast<Arm>(3 * row.weights.size() + 1), 0});
    EXPECT_FALSE(changed.matches(noise_bound));
    if (!row.observations.empty()) {
      changed = row;
      changed.observations.pop_back();
      EXPECT_FALSE(changed.matches(noise_bound));
    }
  });
}

}  // namespace
}  // namespace hearsay
