#pragma once

// Distribution functions for intervals and tests. Relative errors are below 1e-8 up to 10^7 degrees
// of freedom.

#include <cstddef>

namespace hearsay {

// I_x(a, b), the regularized incomplete beta function, for x in [0, 1] and a, b > 0.
double regularized_beta(double x, double a, double b);

// P(a, x), the regularized lower incomplete gamma function, for a > 0 and x >= 0.
double regularized_gamma(double a, double x);

// The t with P(T <= t) = probability for Student's t distribution, for a probability in (0.5, 1).
double student_quantile(double probability, double degrees);

// P(|T| > |t|) for Student's t distribution, also if it is tiny.
double student_tail(double t, double degrees);

// The x with P(X <= x) = probability for the chi-square distribution, for a probability in (0, 1).
double chi_square_quantile(double probability, double degrees);

// P(F > f) for the F distribution with these degrees of freedom of numerator and denominator.
double f_tail(double f, double numerator_degrees, double denominator_degrees);

// The probability that at most `most` of `trials` independent trials succeed, each of which
// succeeds with `probability`.
double binomial_at_most(std::size_t most, std::size_t trials, double probability);

}  // namespace hearsay
