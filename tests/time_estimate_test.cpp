// The arithmetic of the estimate, with a clock that advances with every reading, or one that a
// learner advances by the cost of its rounds.

#include "hearsay/runner/time_estimate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/rows.h"
#include "hearsay/work/unit_runs.h"
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

// Every reading adds `step`, and the second reading of the first trial adds `set_up`, too.
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
    EXPECT_DOUBLE_EQ(cost.set_up, kSetUp + 2 * kStep);  // one step to make the runs, one to play
    // A slice of rounds takes one step. It has 1,000,000 weights, and a round of one run has 9 x 9.
    EXPECT_NEAR(cost.round, kStep / (1'000'000 / 81), 1e-3 * kStep);
  }
}

// How many different set-ups are measured by a clock that becomes slower by 1 % with every reading,
// so that no two measurements agree.
std::size_t different_set_ups(const Plan& plan, double step) {
  double time = 0;
  const TimeEstimate estimate = estimate_time(plan, [&] {
    step *= 0.99;
    time += step;
    return time;
  });
  std::set<double> set_ups;
  for (const UnitCost& cost : estimate.units) {
    set_ups.insert(cost.set_up);
  }
  return set_ups.size();
}

TEST(TimeEstimate, MeasuresEveryCellWhileThereIsTimeAndElseEveryLearnerEngineAndNumberOfRuns) {
  const Plan plan = small_plan({"repetitions=10", "sequences=1",
                                "learners=[{learner='exp3-wix', engine=['exact', 'lazy']}, "
                                "{learner='exp3', rate=[0.1, 1]}]"});
  // exp3-wix in lockstep (8 runs), its 2 other runs, exp3-wix lazy (1 run each), and for each of
  // two rates exp3 with 8 runs and with 2 runs.
  EXPECT_EQ(different_set_ups(plan, 1e-3), 7);
  EXPECT_EQ(different_set_ups(plan, 1), 5);
}

// Advances a clock: by 1 ms for a round on a graph with arcs, by 10 us on one without, and by half
// a second for the first round on a graph other than that of the round before.
class TimedLearner {
 public:
  static constexpr double kWithArcs = 1e-3;
  static constexpr double kWithoutArcs = 1e-5;
  static constexpr double kFirst = 0.5;

  explicit TimedLearner(double& time) : time_(&time) {}

  double operator()(const MixingInput& input, std::span<double> distribution) {
    if (input.graph != nullptr) {
      const bool is_new = !last_ || !last_->same_as(*input.graph);
      *time_ += is_new ? kFirst : input.graph->arc_count() > 0 ? kWithArcs : kWithoutArcs;
      last_ = *input.graph;
    }
    std::ranges::fill(distribution, 1 / static_cast<double>(distribution.size()));
    return 1;
  }

 private:
  double* time_;
  std::optional<Graph> last_;
};

LearnerRow timed_row(double& time) {
  return ftrl_row({.name = "timed",
                   .summary = "plays at random and advances a clock",
                   .reference = "tests/time_estimate_test.cpp",
                   .information = Information::graph_before_draw},
                  [&time](const LearnerSpec& spec) -> FtrlParts {
                    return {
                        .estimator = std::make_unique<WeightedEstimator>(weightings::own_loss()),
                        .leader = regularized_leader(spec.arms, regularizers::shannon()),
                        .schedule = schedules::fixed(0),
                        .mixing = TimedLearner(time)};
                  });
}

TEST(TimeEstimate, TriesEveryGraphOfThoseThatAlternate) {
  static double time = 0;
  register_learner(timed_row(time));
  const Plan plan = small_plan(
      {"learners=[{learner='timed'}]", "repetitions=1", "sequences=1", "environment.horizon=220000",
       "environment.graph={kind='alternating', rounds_each=50000, graphs=[{family='grid', side=3}, "
       "{family='empty', arms=9}]}"});
  ASSERT_EQ(plan.units().size(), 1);
  const TimeEstimate estimate = estimate_time(plan, [] { return time; });
  const double before = time;
  UnitRuns(plan, plan.units()[0]).advance(220000);
  const double taken = time - before;
  // Each of the graphs is used for 50000 rounds, then again for as many, and the first one for
  // 20000 more. A slice has 1,000,000 / 81 rounds.
  const double exact = 5 * TimedLearner::kFirst + (120000 - 3) * TimedLearner::kWithArcs +
                       (100000 - 2) * TimedLearner::kWithoutArcs;
  EXPECT_NEAR(taken, exact, 1e-9 * exact);
  const std::vector<std::size_t> all = {0};
  EXPECT_NEAR(estimate.seconds(plan, all, 1), exact, 1e-9 * exact);
}

TEST(TimeEstimate, HasNoRoundsToMeasureAtTheHorizon) {
  const Plan plan = small_plan({"environment.horizon=1"});
  double time = 0;
  const TimeEstimate estimate = estimate_time(plan, [&] { return ++time; });
  for (const UnitCost& cost : estimate.units) {
    EXPECT_EQ(cost.set_up, 2);
    EXPECT_EQ(cost.round, 0);
  }
}

}  // namespace
}  // namespace hearsay
