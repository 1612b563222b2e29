#pragma once

// e^x for weights. std::exp is another function with every C library; this one has the same bits on
// every machine, one number at a time or many.

#include <span>

namespace hearsay {

// Replaces each value, at most 709, by its exponential: within 1.1 units in the last place of the
// true one, and 0 below -690. A weight of 1e-300 is of no use, and what is made of it may be too
// small for a normal number: processors take so long over those that arms out of the race would
// cost more than the others.
void exponentials(std::span<double> values);

}  // namespace hearsay
