#pragma once

// Exponential weights over weighted estimates, with implicit exploration (Algorithm 1 of the paper)
// or clipped: an FtrlRule with the Shannon entropy and a weighting. In addition to the engines of
// every FtrlRule it has a lazy one, for a single run of very many arms on a sparse graph: the cost
// of a round depends only on the arms seen (docs/lazy.md).

#include <memory>
#include <optional>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/ftrl_rule.h"
#include "hearsay/learner/learner_base.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

struct ExponentialWeights {
  std::shared_ptr<const Weighting> weighting;
  Schedule schedule;
  RegretTheorems theorems = {};

  // If given, estimates are clipped: their divisors are at least this times the rate. Otherwise
  // they have the implicit exploration of the schedule.
  std::optional<double> floor_per_rate = std::nullopt;
};

inline FtrlRule rule_of(const ExponentialWeights& parts) {
  FtrlRule rule{
      .weighting = parts.weighting, .schedule = parts.schedule, .theorems = parts.theorems};
  if (parts.floor_per_rate) {
    rule.floor = Floor{.per_rate = *parts.floor_per_rate};
  }
  return rule;
}

// Whether the lazy engine computes all that the schedule and the designated theorem read.
bool runs_lazily(const ExponentialWeights& parts);

// Requires runs_lazily(). The lazy engine refuses late feedback.
std::unique_ptr<RestorableLearner> make_lazy(const LearnerSpec& spec, Information information,
                                             const ExponentialWeights& parts);

}  // namespace hearsay
