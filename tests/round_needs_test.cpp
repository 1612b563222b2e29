// An engine runs a learner only if it computes all that the learner's schedule and theorem read.

#include "hearsay/learner/round_needs.h"

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/lockstep.h"
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
          {.name = name, .summary = "", .reference = "", .parameters = {{.name = "rate"}}},
          Lazy::yes, [schedule = by.schedule, theorem = bound.theorem](const LearnerSpec& spec) {
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

// With a baseline the estimates are unbiased at any exploration, in every engine.
TEST(RoundNeeds, ABaselineWithExplorationHasTheSameBoundInEveryEngine) {
  register_learner(ftrl_rule_row(
      {.name = "baseline-exploration", .summary = "", .reference = ""},
      [](const LearnerSpec& spec) {
        Schedule schedule = schedules::by_square_root(spec.arms, 0.5);
        schedule.exploration_per_rate = 0.5;
        return FtrlRule{.baseline = Baseline{},
                        .schedule = schedule,
                        .theorems = {.designated = theorems::entropic({.second_moment = 0.75})}};
      }));
  EXPECT_TRUE(has_lockstep({.name = "baseline-exploration", .arms = kGridArms}));
  EXPECT_EQ(first_run("baseline-exploration", 16), first_run("baseline-exploration", 1));
}

// A flag that was forgotten must not become a wrong rate.
TEST(RoundNeeds, AScheduleCannotReadWhatItDoesNotSay) {
  const auto make = [](const std::function<double(const RoundTotals&)>& rate, bool says_so) {
    const LearnerRow row = ftrl_rule_row(
        {.name = "test", .summary = "", .reference = ""}, [rate, says_so](const LearnerSpec&) {
          Schedule schedule;
          schedule.adaptive_rate = rate;
          schedule.uses_gaps = says_so;
          schedule.uses_delays = says_so;
          return FtrlRule{.weighting = weightings::own_loss(), .schedule = schedule};
        });
    row.exact.make({.name = "test", .arms = kGridArms});
    row.lockstep({.name = "test", .arms = kGridArms}, 2, RangeCheck::needed);
  };
  const auto by_gaps = [](const RoundTotals& totals) {
    return 1 / (1 + totals.gaps.value().value());
  };
  const auto by_delays = [](const RoundTotals& totals) {
    return 1 / (1 + totals.delays.value().waited);
  };
  EXPECT_NO_THROW(make(by_gaps, true));
  EXPECT_NO_THROW(make(by_delays, true));
  EXPECT_THROW(make(by_gaps, false), std::bad_optional_access);
  EXPECT_THROW(make(by_delays, false), std::bad_optional_access);
}

// A theorem that reads the entropy.
class EntropyTheorem final : public RegretTheorem {
 public:
  explicit EntropyTheorem(bool says_so) : says_so_(says_so) {}
  TheoremText text() const override { return {"entropy", "of a test", "none"}; }
  RegretTerm term(const RegretRound& round, const RoundTotals& /*before*/) const override {
    return {round.entropy.value()};
  }
  RoundNeeds needs() const override { return {.entropy = says_so_}; }

 private:
  bool says_so_;
};

TEST(RoundNeeds, ATheoremCannotReadWhatItDoesNotSay) {
  const auto bound = [](bool says_so) {
    const LearnerRow row = ftrl_rule_row(
        {.name = "test", .summary = "", .reference = ""}, [says_so](const LearnerSpec&) {
          return FtrlRule{.weighting = weightings::own_loss(),
                          .schedule = schedules::fixed(0),
                          .theorems = {.designated = std::make_shared<EntropyTheorem>(says_so)}};
        });
    const auto learner = row.exact.make({.name = "test", .arms = kGridArms});
    const Graph graph = Graph::sparse(kGridArms, {});
    for (int t = 0; t < 3; ++t) {
      const Decision decision = learner->adopt(0);
      const std::vector<Observation> seen = {{0, 0.5}};
      learner->observe(decision, graph, {decision.arm, seen});
    }
    return certificate_of(*learner)->regret_bound.value();
  };
  // At rate 0 all probabilities stay equal.
  EXPECT_NEAR(bound(true), 3 * std::log(kGridArms), 1e-12);
  EXPECT_THROW(bound(false), std::bad_optional_access);
}

}  // namespace
}  // namespace hearsay
