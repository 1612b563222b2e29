#pragma once

// Numbers of a learner's state as the engines save and check them.

#include "hearsay/learner/state.h"
#include "hearsay/learner/sum.h"

namespace hearsay {

void write(StateWriter& writer, const CompensatedSum& sum);

// Throws Error for one that no sum of estimates can be.
double finite(StateReader& reader);
CompensatedSum read_sum(StateReader& reader);

// Throws Error where `holds` is false, saying `what` is wrong with the state.
void require(bool holds, const char* what);

}  // namespace hearsay
