#pragma once

// Exponential weights over weighted estimates, with implicit exploration (Algorithm 1 of the paper)
// or clipped: the FtrlRule that has the Shannon entropy and a weighting. Besides the engines of
// every FtrlRule there is a third for it: lazy, for one run of very many arms on a sparse graph, in
// rounds that cost what is seen (docs/lazy.md).

#include <memory>
#include <optional>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/ftrl_rule.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

struct ExponentialWeights {
  std::shared_ptr<const Weighting> weighting;
  Schedule schedule;
  RegretTheorems theorems = {};

  // Estimates are clipped: their divisors are at least this times the rate. None: they are not, and
  // have the exploration of the schedule.
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

// Late feedback is refused.
std::unique_ptr<Learner> make_lazy(const LearnerSpec& spec, Information information,
                                   const ExponentialWeights& parts);
std::unique_ptr<Learner> restore_lazy(const LearnerSpec& spec, Information information,
                                      const ExponentialWeights& parts, StateReader& reader);

}  // namespace hearsay
