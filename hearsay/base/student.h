#pragma once

// Student's t distribution, for confidence intervals of means.

#include <cstddef>

namespace hearsay {

// The t with P(|T| < t) = 0.95, for at least one degree of freedom. It is rounded to six decimals,
// as printed tables are, so that it does not depend on the last bits of a mathematical library.
double student_quantile_95(std::size_t degrees);

}  // namespace hearsay
