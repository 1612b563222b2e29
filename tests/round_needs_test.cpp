// An engine runs a learner only if it computes all that the learner's schedule and theorem read.

#include "hearsay/learner/round_needs.h"

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/rows.h"
#include "hearsay/runner/run_experiment.h"
#include "tests/message_of.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

constexpr std::size_t kGridArms = 9;
constexpr std::size_t kManyArms = 100'000;

struct ScheduleCase {
  Schedule schedule;
  bool runs_lazily = false;
};

struct TheoremCase {
  std::shared_ptr<const RegretTheorem> theorem;
  bool runs_lazily = false;
  bool runs_in_lockstep = false;
};

std::vector<ScheduleCase> schedule_cases() {
  const schedules::ByEntropy entropy{.arms = kGridArms, .constant = 0.75, .least_inverse_rate = 2};
  return {{schedules::fixed(0.1), true},
          {schedules::by_round(kGridArms, 9), true},
          {schedules::by_cost(kGridArms, 1, 0.5), true},
          {schedules::by_square_root(kGridArms, 0.3), true},
          {schedules::by_second_moment({.entropy = 2, .constant = 0.75, .first = 9}), true},
          {schedules::by_gaps(kGridArms, 2), false},
          {schedules::by_entropy_sum(entropy), false},
          {schedules::by_matching(entropy), false}};
}

std::vector<TheoremCase> theorem_cases() {
  return {{nullptr, true, true},
          {theorems::paper({.second_moment = 0.75}), true, true},
          {theorems::entropic({.second_moment = 0.75}), true, true},
          {theorems::realised(CoveredSelfWeight::any), false, true},
          {theorems::estimated(), false, false}};
}

// The recorded rounds of the first of several runs, which are played in lockstep if that is
// possible. A single run is always played by the exact engine.
std::string first_run(const std::string& learner, std::size_t runs) {
  const ExperimentResult result = run_experiment(
      testing::small_experiment({"learners=[{learner='" + learner + "'}]",
                                 "repetitions=" + std::to_string(runs), "sequences=1"}));
  std::string text;
  for (const CurvePoint& point : result.curves.of(0, 0, 0)) {
    text += fmt::format("{} {} {}\n", point.loss, point.best_arm_loss, point.bound);
  }
  return text;
}

TEST(RoundNeeds, DecideWhichEnginesRunALearner) {
  std::size_t number = 0;
  for (const ScheduleCase& by : schedule_cases()) {
    for (const TheoremCase& bound : theorem_cases()) {
      const std::string name = "round-needs-test-" + std::to_string(++number);
      SCOPED_TRACE(name);
      register_learner(exponential_weights_row(
          {.name = name, .summary = "", .reference = ""}, Lazy::yes,
          [schedule = by.schedule, theorem = bound.theorem](const LearnerSpec& spec) {
            return ExponentialWeights{
                weightings::inverse_variance(spec.noise_bound), schedule, {.designated = theorem}};
          }));
      const bool runs_lazily = by.runs_lazily && bound.runs_lazily;
      EXPECT_EQ(is_lazy({.name = name, .arms = kManyArms, .engine = Engine::automatic}),
                runs_lazily);
      const LearnerSpec lazy{.name = name, .arms = kGridArms, .engine = Engine::lazy};
      EXPECT_EQ(message_of([&] { make_learner(lazy); }),
                runs_lazily ? ""
                            : "engine: is lazy, expected exact or auto: " + name +
                                  " has a rate or a bound that the lazy engine does not compute");
      EXPECT_EQ(has_lockstep({.name = name, .arms = kGridArms}), bound.runs_in_lockstep);

      EXPECT_EQ(first_run(name, 16), first_run(name, 1));
    }
  }
}

}  // namespace
}  // namespace hearsay
