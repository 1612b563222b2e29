#pragma once

// The exponential function for weights. The bits of std::exp depend on the C library; those of this
// function are the same on every machine and for any number of values at a time.

#include <span>

namespace hearsay {

// Exponents of weights are at most 0, except for rounding errors, which a very large rate
// amplifies. Larger arguments are replaced by this one, so that sums of weights do not overflow.
inline constexpr double kLargestExponentialArgument = 600;

// Replaces each value by its exponential, with an error of at most 1.1 units in the last place.
// Values below -690 give 0: a weight of about 1e-300 or less has no effect, but products with it
// may be subnormal numbers, which are so slow that arms with negligible weights would cost more
// than the others.
void exponentials(std::span<double> values);

}  // namespace hearsay
