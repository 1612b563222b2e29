#include "reproduce/worlds.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/certificate/independence.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/learner/catalogue.h"
#include "tests/message_of.h"

namespace hearsay::reproduce {
namespace {

TEST(Worlds, HasEveryLearnerOfTheCatalogueThatIsNoOracle) {
  for (const Experiment& experiment : world_experiments(WorldScale::large, 1)) {
    const Plan plan(experiment);
    std::set<std::string> names;
    for (const Cell& cell : plan.cells()) {
      EXPECT_NO_THROW(check_learner(cell.learner)) << cell.label;
      names.insert(cell.learner.name);
    }
    for (const CatalogueEntry& entry : learner_catalogue()) {
      const bool is_oracle = learner_row(entry.name).information == Information::true_losses;
      EXPECT_EQ(names.contains(std::string(entry.name)), !is_oracle) << entry.name;
    }
  }
}

TEST(Worlds, HasWorldsOfTheSizesAndIndependenceNumbersItStates) {
  const std::vector<Experiment> experiments = world_experiments(WorldScale::large, 1);
  ASSERT_EQ(experiments.size(), all_worlds().size());
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    const World& world = all_worlds()[i];
    SCOPED_TRACE(world.name);
    EXPECT_EQ(experiments[i].name, "world-" + std::string(world.name));
    EXPECT_EQ(experiments[i].sequences, 40U);
    EXPECT_EQ(experiments[i].environment.horizon, world.is_large ? 100'000U : 5000U);
    const std::size_t arms = Plan(experiments[i]).arms();
    EXPECT_TRUE(world.is_large ? arms >= 100 && arms <= 400 : arms <= 25) << arms;
    const Graph graph =
        make_graph(experiments[i].environment.graph.graphs.front(), Stream(1, Purpose::graph), 0);
    const IndependenceNumber number = independence_number(graph, 1);
    EXPECT_LE(number.lower, world.alpha);
    EXPECT_GE(number.upper, world.alpha);
  }
  EXPECT_EQ(world_experiments(WorldScale::full, 1).size(), 9U);
}

TEST(Worlds, MakesNoValueUpForAParameterThatALearnerRequires) {
  const World& world = all_worlds().front();
  LearnerRow row = learner_row("exp3-ixt");
  const WorldParameters guessed = {{"threshold", "0.5"}};
  EXPECT_EQ(required_parameters(row, world, 500), guessed);
  const WorldParameters known = {{"alpha", "9.0"}, {"horizon", "500"}};
  EXPECT_EQ(required_parameters(learner_row("q-ftrl"), world, 500), known);
  row.parameters.push_back({.name = "delta", .required = true});
  EXPECT_EQ(message_of([&] { required_parameters(row, world, 500); }),
            "worlds: have no value of delta, which exp3-ixt requires, expected one in "
            "required_parameters()");
}

TEST(Worlds, SaysWhatLearnersMustKnow) {
  EXPECT_EQ(required_knowledge({.name = "exp3", .arms = 3}), "");
  EXPECT_EQ(required_knowledge({.name = "exp3-wix", .arms = 3}), "noise bound");
  EXPECT_EQ(required_knowledge({.name = "exp3-ixt", .arms = 3, .threshold = 0.5}),
            "noise bound, threshold");
  EXPECT_EQ(
      required_knowledge(
          {.name = "exp3-ivc", .arms = 3, .tuning = Tuning::ada, .noise = NoiseLevel::learned}),
      "");
  for (const char* name : {"ftl", "ucb-n", "ts-n"}) {
    EXPECT_EQ(required_knowledge({.name = name, .arms = 3}), "noise bound") << name;
  }
  EXPECT_EQ(required_knowledge({.name = "exp3-ivc-share", .arms = 3}), "noise bound, switches");
  EXPECT_EQ(required_knowledge({.name = "exp3.s", .arms = 3, .horizon = 100}), "horizon, switches");
  EXPECT_EQ(required_knowledge({.name = "exp3-dom", .arms = 3}), "graph before the draw");
  EXPECT_EQ(required_knowledge({.name = "q-ftrl", .arms = 3, .alpha = 2, .horizon = 100}),
            "horizon, alpha");
}

TEST(Worlds, RanksTheLearnersOfAWorld) {
  Experiment experiment = world_experiments(WorldScale::quick, 1).front();
  experiment.environment.horizon = 60;
  experiment.points.list = {60};
  const ExperimentResult result = run_experiment(experiment, {});
  const std::vector<WorldRow> rows = world_rows(all_worlds().front(), result);
  ASSERT_EQ(rows.size(), result.plan.cells().size());
  std::vector<WorldRow> sorted = rows;
  std::ranges::sort(sorted, {}, &WorldRow::regret);
  EXPECT_EQ(sorted.front().rank, 1U);
  EXPECT_EQ(sorted.front().relative, 0);
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    EXPECT_LE(sorted[i - 1].rank, sorted[i].rank);
    EXPECT_LE(sorted[i - 1].relative, sorted[i].relative);
  }
  const auto uniform = std::ranges::find(rows, "uniform", &WorldRow::label);
  ASSERT_NE(uniform, rows.end());
  EXPECT_NEAR(uniform->relative, 1, 1e-12);
  const std::string csv = worlds_csv(rows);
  EXPECT_EQ(std::ranges::count(csv, '\n'), static_cast<std::ptrdiff_t>(rows.size()) + 1);
  EXPECT_TRUE(csv.starts_with("world,label,knows,regret,"));
}

}  // namespace
}  // namespace hearsay::reproduce
