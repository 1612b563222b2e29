// The arithmetic of the estimate, with a clock that advances with every reading, or one that a
// learner advances by the cost of its rounds.

#include "hearsay/runner/time_estimate.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/environment/losses.h"
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
  // Two readings for the sequence, one before all trials, one before the set-up. An adaptive
  // environment is not measured by itself.
  static constexpr int kAfterFirstSetUp = 5;

  double step_;
  double set_up_;
  int readings_ = 0;
  double time_ = 0;
};

TEST(TimeEstimate, DoesNotCountTheSetUpAsARound) {
  const Plan plan = small_plan({"learners=[{learner='exp3'}]", "environment.horizon=1000000000",
                                "environment.losses={kind='adversary'}"});
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

// Losses of 0, which advance a clock by 1 us in each of the first rounds and by 1 ms in the others.
class TimedLosses final : public Losses {
 public:
  static constexpr std::uint64_t kFastRounds = 50000;
  static constexpr double kFast = 1e-6;
  static constexpr double kSlow = 1e-3;

  TimedLosses(std::size_t arms, double& time) : arms_(arms), time_(&time) {}

  std::size_t arms() const override { return arms_; }
  void next(std::span<double> out) override {
    ++round_;
    *time_ += round_ <= kFastRounds ? kFast : kSlow;
    std::ranges::fill(out, 0.0);
  }
  std::vector<double> save() const override { return {static_cast<double>(round_)}; }
  void restore(std::span<const double> state) override {
    round_ = static_cast<std::uint64_t>(state[0]);
  }

 private:
  std::size_t arms_;
  double* time_;
  std::uint64_t round_ = 0;
};

struct TimedLossOptions {
  std::size_t arms = 0;

  static const FieldTable<TimedLossOptions>& fields() {
    static const FieldTable<TimedLossOptions> none = {};
    return none;
  }
};

// The clock that the learner and the losses named "timed" advance, which are registered by the
// first call.
double& timed_clock() {
  static double time = 0;
  static const bool registered = [] {
    register_learner(
        ftrl_row({.name = "timed",
                  .summary = "plays at random and advances a clock",
                  .reference = "tests/time_estimate_test.cpp",
                  .information = Information::graph_before_draw},
                 [](const LearnerSpec& spec) -> FtrlParts {
                   return {.estimator = std::make_unique<WeightedEstimator>(weightings::own_loss()),
                           .leader = regularized_leader(spec.arms, regularizers::shannon()),
                           .schedule = schedules::fixed(0),
                           .mixing = TimedLearner(time)};
                 }));
    std::unique_ptr<Losses> (*make)(const TimedLossOptions&, const Stream&) =
        [](const TimedLossOptions& options, const Stream& /*stream*/) -> std::unique_ptr<Losses> {
      return std::make_unique<TimedLosses>(options.arms, time);
    };
    register_loss_kind(
        loss_kind({"timed", "zeros, which advance a clock", "tests/time_estimate_test.cpp"},
                  TimedLossOptions{}, make));
    return true;
  }();
  EXPECT_TRUE(registered);
  return time;
}

// What the estimate says of an experiment of one unit, and what the unit takes.
struct EstimatedAndTaken {
  double estimated = 0;
  double taken = 0;

  explicit EstimatedAndTaken(const std::vector<std::string>& overrides) {
    const Plan plan = small_plan(overrides);
    const std::vector<std::size_t> all = {0};
    EXPECT_EQ(plan.units().size(), all.size());
    estimated = estimate_time(plan, [] { return timed_clock(); }).seconds(plan, all, 1);
    const Plan played = small_plan(overrides);  // the trials may have drawn the losses of the other
    const double before = timed_clock();
    UnitRuns(played, played.units()[0]).advance(played.experiment().environment.horizon);
    taken = timed_clock() - before;
  }
};

TEST(TimeEstimate, TriesEveryGraphOfThoseThatAlternate) {
  timed_clock();
  const EstimatedAndTaken seconds(
      {"learners=[{learner='timed'}]", "repetitions=1", "sequences=1", "environment.horizon=220000",
       "environment.graph={kind='alternating', rounds_each=50000, graphs=[{family='grid', side=3}, "
       "{family='empty', arms=9}]}"});
  // Each of the graphs is used for 50000 rounds, then again for as many, and the first one for
  // 20000 more. A slice has 1,000,000 / 81 rounds.
  const double exact = 5 * TimedLearner::kFirst + (120000 - 3) * TimedLearner::kWithArcs +
                       (100000 - 2) * TimedLearner::kWithoutArcs;
  EXPECT_NEAR(seconds.taken, exact, 1e-9 * exact);
  EXPECT_NEAR(seconds.estimated, exact, 1e-9 * exact);
}

// The trial of the learner plays two slices of 1,000,000 / 81 rounds, in which the losses are fast.
// The losses of the first horizon are drawn once and kept in memory, those of the second are drawn
// round by round.
TEST(TimeEstimate, CountsLaterRoundsOfTheEnvironmentThatTakeLongerThanTheFirst) {
  timed_clock();
  for (const std::uint64_t horizon : {220'000U, 1'000'000U}) {
    const EstimatedAndTaken seconds({"learners=[{learner='timed'}]", "repetitions=1", "sequences=1",
                                     "environment.losses={kind='timed'}",
                                     fmt::format("environment.horizon={}", horizon)});
    const auto rounds = static_cast<double>(horizon);
    const double exact = TimedLearner::kFirst + (rounds - 1) * TimedLearner::kWithArcs +
                         TimedLosses::kFastRounds * TimedLosses::kFast +
                         (rounds - TimedLosses::kFastRounds) * TimedLosses::kSlow;
    EXPECT_NEAR(seconds.taken, exact, 1e-9 * exact);
    EXPECT_NEAR(seconds.estimated, exact, 1e-9 * exact);
  }
}

// A learner that advances the clock by 20 us in each of its first 30000 rounds and by 1 us later.
TEST(TimeEstimate, TriesALearnerLongerWhoseFirstRoundsTakeLonger) {
  static double time = 0;
  constexpr std::uint64_t kSlowRounds = 30000;
  register_learner(ftrl_row(
      {.name = "slow-start",
       .summary = "plays at random and advances a clock",
       .reference = "tests/time_estimate_test.cpp"},
      [](const LearnerSpec& spec) -> FtrlParts {
        Mixing mixing = uniform_mixing(1);
        return {.estimator = std::make_unique<WeightedEstimator>(weightings::own_loss()),
                .leader = regularized_leader(spec.arms, regularizers::shannon()),
                .schedule = schedules::fixed(0),
                .mixing = [mixing](const MixingInput& input, std::span<double> distribution) {
                  time += input.totals.rounds < kSlowRounds ? 20e-6 : 1e-6;
                  return mixing(input, distribution);
                }};
      }));
  // An adaptive environment is not measured by itself.
  const Plan plan =
      small_plan({"learners=[{learner='slow-start'}]", "repetitions=1", "sequences=1",
                  "environment.horizon=10000000", "environment.losses={kind='adversary'}"});
  const std::vector<std::size_t> all = {0};
  const double estimated = estimate_time(plan, [] { return time; }).seconds(plan, all, 1);
  const double exact = kSlowRounds * 20e-6 + (10'000'000 - kSlowRounds) * 1e-6;
  // The first rounds are 6 % of all.
  EXPECT_NEAR(estimated, exact, 0.06 * exact);
}

TEST(TimeEstimate, HasNoRoundsToMeasureIfTheHorizonIsOne) {
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
