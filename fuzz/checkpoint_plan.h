#pragma once

// The experiment whose units the fuzzer of checkpoints reads.

#include "hearsay/experiment/experiment_file.h"
#include "hearsay/work/plan.h"

inline const hearsay::Plan& checkpoint_plan() {
  static const hearsay::Plan small(hearsay::parse_experiment(R"(
repetitions = 2
points = 3
[environment]
horizon = 12
[environment.graph]
family = "grid"
side = 2
[[learners]]
learner = "exp3-wix"
[[learners]]
learner = "exp3-ixt"
threshold = 0.5
)",
                                                             "fuzz.toml"));
  return small;
}
