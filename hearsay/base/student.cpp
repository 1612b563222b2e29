#include "hearsay/base/student.h"

#include <cassert>
#include <cmath>

#include "hearsay/base/distributions.h"

namespace hearsay {

double student_quantile_95(std::size_t degrees) {
  assert(degrees > 0);
  constexpr double kUpTo = 0.975;              // one-sided
  constexpr std::size_t kNormal = 10'000'000;  // from here on the six decimals are the normal's
  if (degrees >= kNormal) {
    return 1.959964;
  }
  constexpr double kDecimals = 1e6;
  return std::round(student_quantile(kUpTo, static_cast<double>(degrees)) * kDecimals) / kDecimals;
}

}  // namespace hearsay
