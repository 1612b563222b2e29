#include "hearsay/work/plan.h"

#include <array>
#include <map>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_plan;

TEST(Plan, HasEveryRunInExactlyOneUnit) {
  for (const char* repetitions : {"repetitions=1", "repetitions=7", "repetitions=100"}) {
    const Plan plan = small_plan({repetitions});
    std::map<std::array<std::size_t, 3>, int> seen;
    for (const Unit& unit : plan.units()) {
      EXPECT_LT(unit.begin, unit.end);
      for (std::size_t repetition = unit.begin; repetition < unit.end; ++repetition) {
        ++seen[{unit.sequence, unit.cell, repetition}];
      }
    }
    EXPECT_EQ(seen.size(), 2 * plan.cells().size() * plan.experiment().repetitions);
    for (const auto& [run, times] : seen) {
      EXPECT_EQ(times, 1);
    }
  }
}

TEST(Plan, HasAUnitForEachOfFewRunsSoThatAllCoresHaveWork) {
  EXPECT_EQ(small_plan({"repetitions=2"}).units().size(), 2 * 8 * 2);
  EXPECT_LT(small_plan({"repetitions=1000"}).units().size(), 2 * 8 * 1000 / 10);
}

// The sizes of the units of each cell.
std::vector<std::vector<std::size_t>> sizes(const Plan& plan) {
  std::vector<std::vector<std::size_t>> all(plan.cells().size());
  for (const Unit& unit : plan.units()) {
    all[unit.cell].push_back(unit.runs());
  }
  return all;
}

TEST(Plan, FillsAVectorWithRunsInLockstep) {
  using Sizes = std::vector<std::size_t>;
  const auto sizes_of = [](const std::string& repetitions, const std::string& losses) {
    return sizes(small_plan({"sequences=1", "repetitions=" + repetitions,
                             "learners=[{learner='exp3-wix', engine=['exact', 'lazy']}]",
                             "environment.losses={kind='" + losses + "'}"}));
  };
  EXPECT_EQ(sizes_of("16", "walks"), (std::vector<Sizes>{{8, 8}, Sizes(16, 1)}));
  EXPECT_EQ(sizes_of("10", "walks"), (std::vector<Sizes>{{8, 2}, Sizes(10, 1)}));
  EXPECT_EQ(sizes_of("4", "walks"), (std::vector<Sizes>{{4}, Sizes(4, 1)}));
  EXPECT_EQ(sizes_of("2", "walks"), (std::vector<Sizes>{{1, 1}, {1, 1}}));
  EXPECT_EQ(sizes_of("16", "adversary"), (std::vector<Sizes>{Sizes(16, 1), Sizes(16, 1)}));
}

// The losses and some weights of the first rounds of an environment.
std::vector<double> first_rounds(const Plan& plan, std::size_t sequence) {
  const auto environment = plan.environment(sequence);
  std::vector<double> all;
  for (int t = 0; t < 20; ++t) {
    const Round round = environment->next();
    all.insert(all.end(), round.losses.begin(), round.losses.end());
    for (Arm i = 0; i < round.graph.arms(); ++i) {
      all.push_back(round.graph.weight(0, i));
    }
  }
  return all;
}

TEST(Plan, HasLossesAndRandomGraphsByTheSeedAndTheSequence) {
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{},
        {"environment.graph={family='uniform', arms=5}"},
        {"environment.graph={family='uniform', arms=5, kind='redrawn'}"},
        {"environment.graph={kind='alternating', rounds_each=3, graphs=[{family='uniform', "
         "arms=5}, "
         "{family='uniform', arms=5}]}"}}) {
    const Plan plan = small_plan(overrides);
    EXPECT_EQ(first_rounds(plan, 0), first_rounds(plan, 0));
    EXPECT_NE(first_rounds(plan, 0), first_rounds(plan, 1));
    std::vector<std::string> reseeded = overrides;
    reseeded.emplace_back("seed=2");
    EXPECT_NE(first_rounds(plan, 0), first_rounds(small_plan(reseeded), 0));
    // The environment does not depend on the number of repetitions or on the learners.
    std::vector<std::string> larger = overrides;
    larger.insert(larger.end(), {"repetitions=50", "learners.exp3.rate=0.5"});
    EXPECT_EQ(first_rounds(plan, 1), first_rounds(small_plan(larger), 1));
  }
}

TEST(Plan, DrawsAlternatingGraphsThatDiffer) {
  const Plan plan = small_plan(
      {"environment.graph={kind='alternating', rounds_each=1, graphs=[{family='uniform', arms=5}, "
       "{family='uniform', arms=5}]}"});
  const auto environment = plan.environment(0);
  const double first = environment->next().graph.weight(0, 1);
  const double second = environment->next().graph.weight(0, 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(environment->next().graph.weight(0, 1), first);
}

TEST(Plan, GivesEveryRunDrawsAndNoiseOfItsOwn) {
  const Plan plan = small_plan({"repetitions=20"});
  std::set<std::uint64_t> streams;
  for (std::size_t sequence = 0; sequence < 2; ++sequence) {
    for (std::size_t repetition = 0; repetition < 20; ++repetition) {
      const RunKey key = plan.run_key(sequence, repetition);
      EXPECT_EQ(key.seed, 1);
      streams.insert(key.draws().key());
      streams.insert(key.noise().key());
    }
  }
  EXPECT_EQ(streams.size(), 2 * 40);
}

TEST(Plan, HasAFingerprintOfEverythingThatResultsDependOn) {
  const std::string plain = small_plan().fingerprint();
  EXPECT_EQ(plain, small_plan().fingerprint());
  std::set<std::string> all = {plain};
  for (const char* change : {"seed=2", "repetitions=4", "points=6", "environment.horizon=61",
                             "environment.noise_bound=2", "environment.losses.step=0.2",
                             "learners.exp3.rate=0.2", "environment.graph.side=4"}) {
    all.insert(small_plan({change}).fingerprint());
  }
  EXPECT_EQ(all.size(), 9);
}

TEST(Plan, RefusesMorePointsThanFitIntoMemory) {
  EXPECT_THROW(small_plan({"repetitions=1000000", "points=10000", "environment.horizon=100000"}),
               Error);
}

}  // namespace
}  // namespace hearsay
