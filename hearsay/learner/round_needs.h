#pragma once

// The theorems of which an engine keeps account, and what an engine must compute for a learner.

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// All theorems, or the designated one alone. Only exact engines can compute the others.
RegretTheorems theorems_for(Bounds bounds, const RegretTheorems& theorems);

// What the schedule and the designated theorem read.
RoundNeeds needs_of(const Schedule& schedule, const RegretTheorems& theorems);

}  // namespace hearsay
