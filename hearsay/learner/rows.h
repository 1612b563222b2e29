#pragma once

// Functions that make rows of the catalogue. The caller passes a row with its name, parameters and
// information; these functions add the factories of its engines.

#include <functional>

#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/ftrl.h"
#include "hearsay/learner/ftrl_rule.h"
#include "hearsay/learner/index_policy.h"
#include "hearsay/learner/learner_base.h"

namespace hearsay {

// The factory of the learners that `make` makes, which must save at least one number for each arm:
// a state that is too short for its number of arms is refused before memory is allocated for them.
LearnerFactory learner_factory(
    std::function<std::unique_ptr<RestorableLearner>(const LearnerSpec&)> make);

// A learner made of FtrlParts. A rate or exploration in the spec replaces that of the schedule.
LearnerRow ftrl_row(LearnerRow row, std::function<FtrlParts(const LearnerSpec&)> parts);

// A learner that an FtrlRule describes. It can run exactly and in lockstep.
LearnerRow ftrl_rule_row(LearnerRow row, std::function<FtrlRule(const LearnerSpec&)> rule);

// Exponential weights. They can run exactly, in lockstep and, if `lazy` is `yes`, lazily
// (docs/lazy.md).
enum class Lazy : std::uint8_t { no, yes };
LearnerRow exponential_weights_row(LearnerRow row, Lazy lazy,
                                   std::function<ExponentialWeights(const LearnerSpec&)> parts);

// A policy for losses that are drawn independently, given by an Index or as a Policy.
LearnerRow index_policy_row(LearnerRow row, std::function<Index(const LearnerSpec&)> index);
LearnerRow policy_row(LearnerRow row, std::function<Policy(const LearnerSpec&)> policy);

}  // namespace hearsay
