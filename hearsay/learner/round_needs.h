#pragma once

// The theorems of which an engine keeps account, and what they and the learner's schedule read of
// each round beyond what every engine computes. An engine that does not compute all of it must not
// run the learner, because the rates or bounds would be wrong.

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// All theorems, or the designated one alone. Only exact engines can compute the others.
RegretTheorems theorems_for(Bounds bounds, const RegretTheorems& theorems);

struct RoundNeeds {
  bool entropy = false;    // RegretRound::entropy
  bool gap = false;        // RegretRound::gap
  bool growth = false;     // RegretRound::growth
  bool least_sum = false;  // RegretRound::least_sum and own_loss
  bool delays = false;     // RoundTotals::outstanding and what follows from it

  // Whether an engine that computes `provided` computes all of this.
  bool are_covered_by(const RoundNeeds& provided) const {
    return entropy <= provided.entropy && gap <= provided.gap && growth <= provided.growth &&
           least_sum <= provided.least_sum && delays <= provided.delays;
  }
};

RoundNeeds needs_of(const Schedule& schedule, const RegretAccount& account);

// Of an engine that keeps account of the designated theorem alone.
RoundNeeds needs_of(const Schedule& schedule, const RegretTheorems& theorems);

}  // namespace hearsay
