#include "hearsay/base/distributions.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace hearsay {
namespace {

constexpr double kTiny = 1e-300;  // stands for a zero in a continued fraction
constexpr double kPrecision = std::numeric_limits<double>::epsilon();
constexpr int kMostTerms = 100'000;  // about the square root of the largest parameter is enough

// The continued fraction of I_x(a, b), by Lentz's method, which converges fast for
// x < (a + 1)/(a + b + 2).
double beta_fraction(double x, double a, double b) {
  const auto no_zero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1;
  double d = 1 / no_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int m = 1; m < kMostTerms; ++m) {
    const double k = m;
    const double even = k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
    d = 1 / no_zero(1 + even * d);
    c = no_zero(1 + even / c);
    fraction *= d * c;
    const double odd = -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1));
    d = 1 / no_zero(1 + odd * d);
    c = no_zero(1 + odd / c);
    const double factor = d * c;
    fraction *= factor;
    if (std::abs(factor - 1) < kPrecision) {
      break;
    }
  }
  return fraction;
}

// The x >= 0 at which the increasing `distribution` reaches `probability`.
template <class Distribution>
double solve_increasing(Distribution distribution, double probability) {
  double low = 0;
  double high = 1;
  while (distribution(high) < probability) {
    low = high;
    high *= 2;
  }
  while (true) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high || high - low <= 4 * kPrecision * high) {
      return middle;
    }
    (distribution(middle) < probability ? low : high) = middle;
  }
}

}  // namespace

double regularized_beta(double x, double a, double b) {
  if (x <= 0) {
    return 0;
  }
  if (x >= 1) {
    return 1;
  }
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(x, a, b) / a
                                   : 1 - front * beta_fraction(1 - x, b, a) / b;
}

double regularized_gamma(double a, double x) {
  if (x <= 0) {
    return 0;
  }
  const double front = std::exp(a * std::log(x) - x - std::lgamma(a));
  if (x < a + 1) {  // the power series
    double term = 1 / a;
    double sum = term;
    for (int k = 1; k < kMostTerms && term > sum * kPrecision; ++k) {
      term *= x / (a + k);
      sum += term;
    }
    return front * sum;
  }
  // The continued fraction of 1 - P(a, x), by Lentz's method.
  double b = x + 1 - a;
  double c = 1 / kTiny;
  double d = 1 / b;
  double fraction = d;
  for (int k = 1; k < kMostTerms; ++k) {
    const double numerator = -k * (k - a);
    b += 2;
    d = numerator * d + b;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    c = b + numerator / c;
    c = std::abs(c) < kTiny ? kTiny : c;
    const double factor = d * c;
    fraction *= factor;
    if (std::abs(factor - 1) < kPrecision) {
      break;
    }
  }
  return 1 - front * fraction;
}

double student_quantile(double probability, double degrees) {
  assert(probability > 0.5 && probability < 1 && degrees > 0);
  return solve_increasing(
      [=](double t) {
        return 0.5 + regularized_beta(t * t / (degrees + t * t), 0.5, degrees / 2) / 2;
      },
      probability);
}

double chi_square_quantile(double probability, double degrees) {
  assert(probability > 0 && probability < 1 && degrees > 0);
  return solve_increasing([=](double x) { return regularized_gamma(degrees / 2, x / 2); },
                          probability);
}

double f_tail(double f, double numerator_degrees, double denominator_degrees) {
  return f <= 0
             ? 1
             : regularized_beta(denominator_degrees / (denominator_degrees + numerator_degrees * f),
                                denominator_degrees / 2, numerator_degrees / 2);
}

double student_tail(double t, double degrees) {
  return f_tail(t * t, 1, degrees);
}

double binomial_at_most(std::size_t most, std::size_t trials, double probability) {
  return most >= trials ? 1
                        : regularized_beta(1 - probability, static_cast<double>(trials - most),
                                           static_cast<double>(most) + 1);
}

}  // namespace hearsay
