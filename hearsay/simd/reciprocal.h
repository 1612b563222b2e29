#pragma once

// Reciprocals of many numbers at once. Divisions are rounded correctly, so all targets give the
// same bits.

#include <span>

namespace hearsay {

// out[i] = 1 / max(values[i] + addend, least). `out` may be `values`.
void reciprocals(std::span<const double> values, double addend, double least,
                 std::span<double> out);

}  // namespace hearsay
