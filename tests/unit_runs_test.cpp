#include "hearsay/work/unit_runs.h"

#include <bit>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_plan;

// As overrides: environments with every kind of losses on a fixed graph, and with every other kind
// of graph sequence.
const std::vector<std::string> kEnvironments = {
    "environment.losses={kind='walks', walks=3}",
    "environment.losses={kind='bernoulli'}",
    "environment.losses={kind='switching', period=7}",
    "environment.losses={kind='trap', turn=20}",
    "environment.losses={kind='adversary', memory=5}",
    "environment.graph={family='uniform', arms=4, kind='redrawn'}",
    "environment.graph={family='uniform', arms=4, kind='drawn'}",
    "environment.graph={kind='alternating', rounds_each=7, graphs=[{family='uniform', arms=4}, "
    "{family='star', arms=4}]}",
};

// Compares bits, as a missing bound is a NaN.
void expect_same(std::span<const CurvePoint> a, std::span<const CurvePoint> b) {
  ASSERT_EQ(a.size(), b.size());
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(bits(a[i].loss), bits(b[i].loss)) << i;
    EXPECT_EQ(bits(a[i].best_arm_loss), bits(b[i].best_arm_loss)) << i;
    EXPECT_EQ(bits(a[i].bound), bits(b[i].bound)) << i;
  }
}

TEST(UnitRuns, HaveTheBitsOfSingleRuns) {
  for (const std::string& environment : kEnvironments) {
    const Plan plan = small_plan({environment});
    for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
      for (const std::size_t runs : {3UL, 5UL, 19UL}) {  // one by one, and in lockstep
        const Unit unit{.sequence = 1, .cell = cell, .begin = 0, .end = runs};
        UnitRuns unit_runs(plan, unit);
        unit_runs.advance(1000);
        EXPECT_TRUE(unit_runs.is_done());
        std::vector<CurvePoint> single_runs;
        for (std::size_t repetition = 0; repetition < runs; ++repetition) {
          const auto own_environment = plan.environment(1);
          const auto learner = make_learner(plan.cells()[cell].learner);
          hearsay::Run run(*own_environment, *learner, plan.experiment().environment.noise,
                           plan.run_key(1, repetition));
          for (const std::uint64_t point : plan.points()) {
            run.steps(point - run.rounds());
            single_runs.push_back(run.point());
          }
        }
        expect_same(unit_runs.points(), single_runs);
      }
    }
  }
}

TEST(UnitRuns, ContinueFromAnyRoundWithTheSameBits) {
  for (const std::string& environment : kEnvironments) {
    const Plan plan = small_plan({environment});
    for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
      for (const std::size_t end : {3UL, 6UL}) {  // one by one, and in lockstep
        const Unit unit{.sequence = 0, .cell = cell, .begin = 1, .end = end};
        UnitRuns whole(plan, unit);
        whole.advance(60);
        for (const std::uint64_t stop : {0U, 1U, 19U, 20U, 21U, 59U, 60U}) {
          UnitRuns first(plan, unit);
          first.advance(stop);
          UnitRuns second(plan, unit);
          second.restore(first.save());
          EXPECT_EQ(second.rounds(), stop);
          while (!second.is_done()) {
            second.advance(3);
          }
          expect_same(second.points(), whole.points());
        }
      }
    }
  }
}

TEST(UnitRuns, RefuseAStateThatIsDamagedOrOfAnotherUnit) {
  const Plan plan = small_plan();
  for (const std::size_t runs : {1UL, 4UL}) {
    UnitRuns saved(plan, {.sequence = 0, .cell = 2, .begin = 0, .end = runs});
    saved.advance(10);
    const std::string state = saved.save();
    UnitRuns other(plan, {.sequence = 0, .cell = 3, .begin = 0, .end = runs});
    EXPECT_THROW(other.restore(state), Error);
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{10}, state.size() / 2, state.size() - 1}) {
      UnitRuns fresh(plan, {.sequence = 0, .cell = 2, .begin = 0, .end = runs});
      EXPECT_THROW(fresh.restore(state.substr(0, length)), Error) << length;
    }
  }
}

}  // namespace
}  // namespace hearsay
