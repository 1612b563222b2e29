#pragma once

#include <cmath>

namespace hearsay {

// x to a power, for x >= 0. The powers that the Tsallis entropies of orders 1/2 and 3/4 need are
// made of roots and products: these are many times faster than std::pow, and have the same bits on
// every machine and in every engine.
inline double power(double x, double exponent) {
  if (exponent == 0.25) {
    return std::sqrt(std::sqrt(x));
  }
  if (exponent == 0.5) {
    return std::sqrt(x);
  }
  if (exponent == 0.75) {
    const double root = std::sqrt(x);
    return root * std::sqrt(root);
  }
  if (exponent == 2) {
    return x * x;
  }
  if (exponent == 4) {
    return (x * x) * (x * x);
  }
  return std::pow(x, exponent);
}

}  // namespace hearsay
