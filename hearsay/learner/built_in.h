#pragma once

// The rows of the catalogue that come with the library.

#include <vector>

#include "hearsay/learner/catalogue.h"

namespace hearsay {

std::vector<LearnerRow> built_in_learners();

}  // namespace hearsay
