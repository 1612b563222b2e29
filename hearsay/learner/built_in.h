#pragma once

// The rows of the catalogue that come with the library: those of the paper and ours (built_in.cpp),
// and other learners of the field to compare with (literature.cpp).

#include <vector>

#include "hearsay/learner/catalogue.h"

namespace hearsay {

std::vector<LearnerRow> built_in_learners();

std::vector<LearnerRow> learners_of_the_literature();

}  // namespace hearsay
