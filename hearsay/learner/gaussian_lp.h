#pragma once

// A policy for losses that are drawn independently, on a fixed graph that is known, after Wu,
// Gyorgy, Szepesvari (NIPS 2015). It plays the best arm, unless some arm has not been observed
// precisely enough to distinguish it from the best. A covering program says how often to play each
// arm for that (docs/learners.md).

#include "hearsay/learner/index_policy.h"

namespace hearsay {

// The memory of the policy has the round in which the program was last solved, the means at that
// time, and the solution.
Policy gaussian_lp(double noise_bound);

}  // namespace hearsay
