#pragma once

// Numbers of a learner's state as the engines save and check them.

#include "hearsay/base/state.h"
#include "hearsay/learner/sum.h"

namespace hearsay {

void write(StateWriter& writer, const CompensatedSum& sum);

// Throws Error for one that no sum of estimates can be.
double finite(StateReader& reader);
CompensatedSum read_sum(StateReader& reader);

}  // namespace hearsay
