#pragma once

// The learners that come with the library: those of the paper and our own (built_in.cpp), and
// others from the literature to compare with (literature.cpp).

#include <vector>

#include "hearsay/learner/catalogue.h"

namespace hearsay {

std::vector<LearnerRow> built_in_learners();

std::vector<LearnerRow> learners_of_the_literature();

}  // namespace hearsay
