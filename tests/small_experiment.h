#pragma once

// A small experiment with several learners, for tests of the code that runs experiments.

#include <string>
#include <vector>

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/work/plan.h"

namespace hearsay::testing {

inline const char* const kSmallExperiment = R"(
name = "small"
repetitions = 3
sequences = 2
points = 5
spacing = "log"

[environment]
horizon = 60

[environment.graph]
family = "grid"
side = 3

[environment.losses]
kind = "walks"
walks = 4
step = 0.1

[[learners]]
learner = "exp3"
rate = ["adaptive", 0.1]

[[learners]]
learner = "exp3-ixt"
threshold = [0, 0.5]

[[learners]]
learner = "exp3-wix"
tuning = ["paper", "sharp"]

[[learners]]
learner = "exp3-ivx"

[[learners]]
learner = "hedge"
)";

inline Experiment small_experiment(const std::vector<std::string>& overrides = {}) {
  return parse_experiment(kSmallExperiment, "small.toml",
                          std::vector<Override>(overrides.begin(), overrides.end()));
}

inline Plan small_plan(const std::vector<std::string>& overrides = {}) {
  return Plan(small_experiment(overrides));
}

}  // namespace hearsay::testing
