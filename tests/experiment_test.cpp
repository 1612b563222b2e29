#include "hearsay/experiment/experiment.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/work/plan.h"
#include "tests/message_of.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

TEST(Experiment, ExpandsASweepWithTheLastParameterVaryingFastest) {
  LearnerSweep sweep("exp3-ixt");
  sweep.label = "l";
  sweep.of("noise_bound") = {1.0, 2.0};
  sweep.of("rate") = {std::monostate(), 0.1};
  sweep.of("threshold") = {0.0, 0.5, 1.0};
  const std::vector<Cell> cells = expand(sweep, 4);
  ASSERT_EQ(cells.size(), 12);
  std::size_t index = 0;
  for (const double noise_bound : {1.0, 2.0}) {
    for (const std::optional<double> rate : {std::optional<double>(), std::optional(0.1)}) {
      for (const double threshold : {0.0, 0.5, 1.0}) {
        LearnerSpec expected;
        expected.name = "exp3-ixt";
        expected.arms = 4;
        expected.noise_bound = noise_bound;
        expected.rate = rate;
        expected.threshold = threshold;
        EXPECT_EQ(cells[index].learner, expected) << index;
        EXPECT_EQ(cells[index].label, "l");
        ++index;
      }
    }
  }
}

// A program may make an experiment without a file.
TEST(Experiment, IsCheckedBeforeItIsPlanned) {
  const auto refusal = [](const std::function<void(Experiment&)>& change) {
    Experiment experiment = testing::small_experiment();
    change(experiment);
    return message_of([&] { Plan{experiment}; });
  };
  EXPECT_EQ(refusal([](Experiment&) {}), "");
  EXPECT_EQ(refusal([](Experiment& experiment) { experiment = {}; }),
            "horizon: is 0, expected a whole number from 1 to 1000000000000000");
  EXPECT_EQ(refusal([](Experiment& experiment) { experiment.repetitions = 0; }),
            "repetitions: is 0, expected a whole number from 1 to 1000000");
  EXPECT_TRUE(refusal([](Experiment& experiment) {
                experiment.environment.noise.bound = -1;
              }).find("is -1, expected a number") != std::string::npos);
  EXPECT_EQ(refusal([](Experiment& experiment) { experiment.environment.graph.graphs.clear(); }),
            "graphs: has 0 graphs, expected one for kind fixed");
  EXPECT_EQ(refusal([](Experiment& experiment) {
              auto& graphs = experiment.environment.graph.graphs;
              graphs.push_back(graphs.front());
            }),
            "graphs: has 2 graphs, expected one for kind fixed");
  EXPECT_EQ(refusal([](Experiment& experiment) {
              GraphSettings drawn(*std::ranges::find_if(graph_kinds(), [](const GraphKind& kind) {
                return kind.takes == GraphsTaken::random_family;
              }));
              drawn.graphs = experiment.environment.graph.graphs;
              experiment.environment.graph = drawn;
            }),
            "graphs: has a graph that is not random, expected a random family for kind redrawn");
  EXPECT_EQ(refusal([](Experiment& experiment) { experiment.learners.clear(); }),
            "learners: is empty, expected at least one learner");
  EXPECT_EQ(refusal([](Experiment& experiment) { experiment.learners.front().of("rate").clear(); }),
            "learners: exp3 has no value of rate, expected at least one");
  EXPECT_EQ(refusal([](Experiment& experiment) {
              experiment.learners.front().values.pop_back();
            }).substr(0, 30),
            "learners: exp3 has lists for 1");
}

TEST(Experiment, RecordedRoundsEndWithTheHorizon) {
  using Points = std::vector<std::uint64_t>;
  EXPECT_EQ(recorded_rounds({.list = {}, .count = 4, .spacing = Spacing::linear}, 10),
            (Points{2, 5, 7, 10}));
  EXPECT_EQ(recorded_rounds({.list = {}, .count = 1, .spacing = Spacing::linear}, 10),
            (Points{10}));
  EXPECT_EQ(recorded_rounds({.list = {}, .count = 50, .spacing = Spacing::linear}, 3),
            (Points{1, 2, 3}));
  EXPECT_EQ(recorded_rounds({.list = {}, .count = 5, .spacing = Spacing::log}, 10000),
            (Points{1, 10, 100, 1000, 10000}));
  EXPECT_EQ(recorded_rounds({.list = {7, 3}}, 9), (Points{3, 7, 9}));
  const Points huge =
      recorded_rounds({.list = {}, .count = 3, .spacing = Spacing::linear}, 1'000'000'000'000'000);
  EXPECT_EQ(huge, (Points{333'333'333'333'333, 666'666'666'666'666, 1'000'000'000'000'000}));
}

TEST(Experiment, ParametersHaveTheNamesOfTheExperimentFile) {
  LearnerSpec learner;
  learner.rate = 0.1;
  learner.tuning = Tuning::sharp;
  std::string all;
  for (const Parameter& parameter : parameters(learner)) {
    all += std::string(parameter.key) + "=" + parameter.value + " ";
  }
  EXPECT_EQ(all,
            "noise_bound=1 rate=0.1 exploration=theory threshold= delta= tuning=sharp noise= "
            "switches= order= alpha= horizon= engine=exact ");
}

// "adaptive" would say that the learner has a rate.
TEST(Experiment, AParameterThatALearnerDoesNotTakeIsEmpty) {
  const auto rate_and_exploration = [](const std::string& name) {
    const std::vector<Parameter> all = parameters({.name = name});
    return all[1].value + "," + all[2].value;
  };
  EXPECT_EQ(rate_and_exploration("exp3-wix"), "adaptive,theory");
  EXPECT_EQ(rate_and_exploration("hedge"), "adaptive,");
  EXPECT_EQ(rate_and_exploration("uniform"), ",");
}

}  // namespace
}  // namespace hearsay
