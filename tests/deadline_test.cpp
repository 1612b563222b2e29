#include "hearsay/certificate/deadline.h"

#include <limits>
#include <optional>

#include <gtest/gtest.h>

namespace hearsay {
namespace {

TEST(Deadline, IsOverWhenTheTimeHasPassedAndTheFirstBoundsAreKnown) {
  double now = 100;
  Deadline deadline([&] { return now; }, 10.0);
  deadline.note_bounds();
  EXPECT_FALSE(deadline.is_over());
  now = 109.5;
  EXPECT_FALSE(deadline.is_over());
  now = 110;
  EXPECT_TRUE(deadline.is_over());
}

TEST(Deadline, GivesTheFirstBoundsOneSecondInAll) {
  double now = 100;
  Deadline none([&] { return now; }, 0.0);
  Deadline half([&] { return now; }, 0.5);
  const Deadline two([&] { return now; }, 2.0);
  EXPECT_FALSE(none.is_over());
  none.note_bounds();
  EXPECT_TRUE(none.is_over());
  now = 100.75;
  EXPECT_FALSE(half.is_over());
  now = 101;
  EXPECT_TRUE(half.is_over());
  EXPECT_FALSE(two.is_over());
  now = 102;
  EXPECT_TRUE(two.is_over());
}

TEST(Deadline, IsNeverOverWithoutALimit) {
  double now = 100;
  Deadline without([&] { return now; }, std::nullopt);
  Deadline infinite([&] { return now; }, std::numeric_limits<double>::infinity());
  without.note_bounds();
  infinite.note_bounds();
  now = 1e12;
  EXPECT_FALSE(without.is_over());
  EXPECT_FALSE(infinite.is_over());
}

}  // namespace
}  // namespace hearsay
