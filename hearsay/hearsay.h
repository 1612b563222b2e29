#pragma once

// hearsay: online learning with noisy side observations. A round:
//
//   Graph graph = make_grid({.side = 5});                       which arms an arm shows, how well
//   auto learner = make_learner({.name = "exp3-wix", .arms = 25});
//   Decision decision = learner->choose(Stream(seed, Purpose::draw));
//   ... play decision.arm, suffer its loss; see for every arm i with weight(arm, i) > 0
//       weight * loss(i) + (1 - weight) * noise, noise in [-1, 1] and of mean 0 ...
//   learner->observe(decision, graph, {decision.arm, observations});
//   certificate_of(*learner)->regret_bound                      the bound on the expected regret
//
// weight(played, seen): the arm played always comes first. docs/model.md has the mathematics.

// These headers include what they need, such as graph/graph.h, random/stream.h, learner/learner.h
// and play/run.h, so a program that includes this header has those, too.

// Graphs: families, files, weights from data, independence numbers.
#include "hearsay/certificate/independence.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/similarity.h"
#include "hearsay/graph/thin.h"

// Learners, also of your own.
#include "hearsay/learner/rows.h"

// Experiments: learners played in environments that are simulated.
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/runner/run_experiment.h"

// Your own data: a recurring decision, its log, and what can be learned from both.
#include "hearsay/problem/calibrate.h"
#include "hearsay/problem/evaluate_log.h"
#include "hearsay/problem/log_replay.h"
#include "hearsay/problem/problem.h"
#include "hearsay/problem/problem_file.h"

// The version, kVersion.
#include "hearsay/version.h"
