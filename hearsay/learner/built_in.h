#pragma once

// The learners that come with the library: those of the paper and our own (built_in.cpp), and
// others from the literature to compare with (literature.cpp).

#include <numbers>
#include <vector>

#include "hearsay/learner/catalogue.h"

namespace hearsay {

// C of docs/learners.md: a round of exponential weights costs at most C * rate * its second moment,
// if rate * estimate is at least -1, because exp(x) <= 1 + x + (e - 2) x^2 for x <= 1.
inline constexpr double kSecondMoment = std::numbers::e - 2;

std::vector<LearnerRow> built_in_learners();

std::vector<LearnerRow> learners_of_the_literature();

}  // namespace hearsay
