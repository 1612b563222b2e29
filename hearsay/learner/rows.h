#pragma once

// Rows of the catalogue from parts: `row` with its name, parameters and information filled in gets
// the functions that make the learner.

#include <functional>

#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/exponential_weights.h"
#include "hearsay/learner/ftrl.h"
#include "hearsay/learner/ftrl_rule.h"
#include "hearsay/learner/index_policy.h"

namespace hearsay {

// Any learner in parts. A rate or exploration in the spec replaces that of the schedule.
LearnerRow ftrl_row(LearnerRow row, std::function<FtrlParts(const LearnerSpec&)> parts);

// A learner that an FtrlRule describes: exact and in lockstep.
LearnerRow ftrl_rule_row(LearnerRow row, std::function<FtrlRule(const LearnerSpec&)> rule);

// Exponential weights: exact and in lockstep, and lazy if `lazy` says so (docs/lazy.md).
enum class Lazy : std::uint8_t { no, yes };
LearnerRow exponential_weights_row(LearnerRow row, Lazy lazy,
                                   std::function<ExponentialWeights(const LearnerSpec&)> parts);

// A policy for losses that are drawn independently, given by its index or as a whole.
LearnerRow index_policy_row(LearnerRow row, std::function<Index(const LearnerSpec&)> index);
LearnerRow policy_row(LearnerRow row, std::function<Policy(const LearnerSpec&)> policy);

}  // namespace hearsay
