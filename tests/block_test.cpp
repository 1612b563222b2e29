#include "hearsay/experiment/block.h"

#include <bit>
#include <limits>
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

// One environment of each kind, as overrides.
const std::vector<std::string> kEnvironments = {
    "environment.losses={kind='walks', walks=3}",
    "environment.losses={kind='bernoulli'}",
    "environment.losses={kind='switching', period=7}",
    "environment.losses={kind='trap', turn=20}",
    "environment.losses={kind='adversary', memory=5}",
    "environment.graph={family='uniform', arms=4, kind='redrawn'}",
    "environment.graph={kind='alternating', rounds_each=7, graphs=[{family='uniform', arms=4}, "
    "{family='star', arms=4}]}",
};

// To the bit: that there is no bound is a NaN.
void expect_same(std::span<const Record> a, std::span<const Record> b) {
  ASSERT_EQ(a.size(), b.size());
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(bits(a[i].loss), bits(b[i].loss)) << i;
    EXPECT_EQ(bits(a[i].best_arm_loss), bits(b[i].best_arm_loss)) << i;
    EXPECT_EQ(bits(a[i].bound), bits(b[i].bound)) << i;
  }
}

TEST(Block, HasTheBitsOfItsRunsAlone) {
  for (const std::string& environment : kEnvironments) {
    const Plan plan = small_plan({environment});
    for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
      for (const std::size_t runs : {3UL, 5UL, 19UL}) {  // one by one, and in lockstep
        const Unit unit{.sequence = 1, .cell = cell, .begin = 0, .end = runs};
        Block block(plan, unit);
        block.advance(1000);
        EXPECT_TRUE(block.is_done());
        std::vector<Record> alone;
        for (std::size_t repetition = 0; repetition < runs; ++repetition) {
          const auto own = plan.environment(1);
          const auto learner = make_learner(plan.cells()[cell].learner);
          hearsay::Run run(*own, *learner, plan.experiment().environment.noise,
                           plan.luck(1, repetition));
          for (const std::uint64_t point : plan.points()) {
            run.steps(point - run.rounds());
            const auto bound = certificate_of(*learner)->regret_bound;
            alone.push_back({run.loss(), run.best_arm_loss(),
                             bound.value_or(std::numeric_limits<double>::quiet_NaN())});
          }
        }
        expect_same(block.records(), alone);
      }
    }
  }
}

TEST(Block, GoesOnFromAnyRoundWithTheSameBits) {
  for (const std::string& environment : kEnvironments) {
    const Plan plan = small_plan({environment});
    for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
      for (const std::size_t end : {3UL, 6UL}) {  // one by one, and in lockstep
        const Unit unit{.sequence = 0, .cell = cell, .begin = 1, .end = end};
        Block whole(plan, unit);
        whole.advance(60);
        for (const std::uint64_t stop : {0U, 1U, 19U, 20U, 21U, 59U, 60U}) {
          Block first(plan, unit);
          first.advance(stop);
          Block second(plan, unit);
          second.restore(first.save());
          EXPECT_EQ(second.rounds(), stop);
          while (!second.is_done()) {
            second.advance(3);
          }
          expect_same(second.records(), whole.records());
        }
      }
    }
  }
}

TEST(Block, RefusesAStateThatIsDamagedOrAnotherUnits) {
  const Plan plan = small_plan();
  for (const std::size_t runs : {1UL, 4UL}) {
    Block block(plan, {.sequence = 0, .cell = 2, .begin = 0, .end = runs});
    block.advance(10);
    const std::string state = block.save();
    Block other(plan, {.sequence = 0, .cell = 3, .begin = 0, .end = runs});
    EXPECT_THROW(other.restore(state), Error);
    for (const std::size_t length :
         {std::size_t{0}, std::size_t{10}, state.size() / 2, state.size() - 1}) {
      Block fresh(plan, {.sequence = 0, .cell = 2, .begin = 0, .end = runs});
      EXPECT_THROW(fresh.restore(state.substr(0, length)), Error) << length;
    }
  }
}

}  // namespace
}  // namespace hearsay
