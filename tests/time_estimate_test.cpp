// The estimate is tested by its arithmetic, with a clock that is a count of its own readings.

#include "hearsay/runner/time_estimate.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_plan;

TEST(TimeEstimate, AddsUpSetUpRoundsAndSequencesAsWorkersTakeThem) {
  // 2 sequences x 1 cell x 3 repetitions: units 0, 1, 2 of the first sequence, 3, 4, 5 of the
  // second.
  const Plan plan = small_plan({"learners=[{learner='exp3'}]"});
  ASSERT_EQ(plan.units().size(), 6);
  TimeEstimate estimate;
  estimate.sequence = 1000;
  estimate.units = std::vector<UnitCost>(6, {.set_up = 100, .round = 2});
  const double unit = 100 + 59 * 2;  // the first round belongs to the set-up
  const std::vector<std::size_t> all = {0, 1, 2, 3, 4, 5};
  EXPECT_DOUBLE_EQ(estimate.seconds(plan, all, 1), 2 * 1000 + 6 * unit);
  // Unit 0 keeps the first worker busy; the second computes 1, 2, 3 with the second sequence, then
  // the first 4 and 5.
  EXPECT_DOUBLE_EQ(estimate.seconds(plan, all, 2), 1000 + 3 * unit);
  const std::vector<std::size_t> some = {3, 5};
  EXPECT_DOUBLE_EQ(estimate.seconds(plan, some, 2), 1000 + unit);
  EXPECT_DOUBLE_EQ(estimate.seconds(plan, {}, 2), 0);
}

// Every reading adds `step`, but the first trial has `set_up` more between its first two readings.
class FakeClock {
 public:
  FakeClock(double step, double set_up) : step_(step), set_up_(set_up) {}

  double operator()() {
    ++readings_;
    time_ += step_;
    if (readings_ == kAfterFirstSetUp) {
      time_ += set_up_;
    }
    return time_;
  }

 private:
  static constexpr int kAfterFirstSetUp =
      4;  // two readings for the sequence, one before the set-up

  double step_;
  double set_up_;
  int readings_ = 0;
  double time_ = 0;
};

TEST(TimeEstimate, DoesNotCountTheSetUpAsARound) {
  const Plan plan = small_plan({"learners=[{learner='exp3'}]", "environment.horizon=1000000000"});
  constexpr double kStep = 0.1;
  constexpr double kSetUp = 50;
  FakeClock clock(kStep, kSetUp);
  const TimeEstimate estimate = estimate_time(plan, [&] { return clock(); });
  ASSERT_EQ(estimate.units.size(), plan.units().size());
  EXPECT_DOUBLE_EQ(estimate.sequence, kStep);
  for (const UnitCost& cost : estimate.units) {
    EXPECT_DOUBLE_EQ(cost.set_up, kSetUp + kStep);
    // A slice of rounds takes one step: 1,000,000 weights of 1 run of 9 x 9 arms.
    EXPECT_NEAR(cost.round, kStep / (1'000'000 / 81), 1e-3 * kStep);
  }
}

TEST(TimeEstimate, MeasuresEveryLearnerEngineAndNumberOfRunsApart) {
  const Plan plan = small_plan({"repetitions=10", "sequences=1",
                                "learners=[{learner='exp3-wix', engine=['exact', 'lazy']}, "
                                "{learner='exp3', rate=[0.1, 1]}]"});
  // The clock goes slower and slower, so that no two measurements agree.
  double time = 0;
  double step = 1;
  const TimeEstimate estimate = estimate_time(plan, [&] {
    step *= 0.99;
    time += step;
    return time;
  });
  std::set<double> set_ups;
  for (const UnitCost& cost : estimate.units) {
    set_ups.insert(cost.set_up);
  }
  // exp3-wix in lockstep (8 runs), the 2 others, exp3-wix lazy (1 run each), exp3 (8 runs, 2 runs).
  EXPECT_EQ(set_ups.size(), 5);
}

TEST(TimeEstimate, HasNoRoundsToMeasureAtTheHorizon) {
  const Plan plan = small_plan({"environment.horizon=1"});
  double time = 0;
  const TimeEstimate estimate = estimate_time(plan, [&] { return ++time; });
  for (const UnitCost& cost : estimate.units) {
    EXPECT_EQ(cost.set_up, 1);
    EXPECT_EQ(cost.round, 0);
  }
}

}  // namespace
}  // namespace hearsay
