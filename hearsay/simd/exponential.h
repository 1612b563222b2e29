#pragma once

// e^x for weights. std::exp is another function with every C library; this one has the same bits on
// every machine, one number at a time or many.

#include <span>

namespace hearsay {

// Replaces each value, at most 600, by its exponential: within 1.1 units in the last place of the
// true one, also where that is subnormal; 0 below -746.
void exponentials(std::span<double> values);

}  // namespace hearsay
