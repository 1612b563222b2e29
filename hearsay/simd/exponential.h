#pragma once

// The exponential function for weights. The bits of std::exp depend on the C library; those of this
// function are the same on every machine and for any number of values at a time.

#include <span>

namespace hearsay {

// Replaces each value, which must be at most 709, by its exponential, with an error of at most 1.1
// units in the last place. Values below -690 give 0: a weight below 1e-300 has no effect, but
// products with it may be subnormal numbers, which are so slow that arms with negligible weights
// would cost more than the others.
void exponentials(std::span<double> values);

}  // namespace hearsay
