#pragma once

// A policy for losses that are drawn independently on a graph that is known and stays, after Wu,
// Gyorgy, Szepesvari (NIPS 2015): it plays the best arm, unless some arm has not been observed
// precisely enough to be told from it. How often to play each arm for that is a covering program
// (docs/learners.md).

#include "hearsay/learner/index_policy.h"

namespace hearsay {

// Its memory: the round in which the program was last solved, the means then, and the solution.
Policy gaussian_lp(double noise_bound);

}  // namespace hearsay
