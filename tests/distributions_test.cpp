// Compares distribution functions with closed forms, sums and limits.

#include "hearsay/base/distributions.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

namespace hearsay {
namespace {

TEST(Distributions, BetaFunctionMatchesClosedForms) {
  for (const double x : {0.0, 0.001, 0.2, 0.5, 0.9, 0.9999, 1.0}) {
    for (const double a : {0.5, 1.0, 3.0, 40.0}) {
      EXPECT_NEAR(regularized_beta(x, a, 1), std::pow(x, a), 1e-13);
      EXPECT_NEAR(regularized_beta(x, 1, a), 1 - std::pow(1 - x, a), 1e-13);
      EXPECT_NEAR(regularized_beta(x, a, 7), 1 - regularized_beta(1 - x, 7, a), 1e-13);
    }
    // The arcsine law.
    EXPECT_NEAR(regularized_beta(x, 0.5, 0.5), 2 / std::numbers::pi * std::asin(std::sqrt(x)),
                1e-13);
  }
}

TEST(Distributions, GammaFunctionMatchesClosedForms) {
  for (const double x : {0.0, 0.01, 0.7, 1.0, 3.0, 30.0}) {
    EXPECT_NEAR(regularized_gamma(1, x), -std::expm1(-x), 1e-14);
    EXPECT_NEAR(regularized_gamma(0.5, x), std::erf(std::sqrt(x)), 1e-14);
    EXPECT_NEAR(regularized_gamma(3, x), 1 - std::exp(-x) * (1 + x + x * x / 2), 1e-14);
  }
}

TEST(Distributions, StudentQuantilesMatchClosedFormsAndTheNormalLimit) {
  for (const double p : {0.6, 0.9, 0.975, 0.999}) {
    const double cauchy = std::tan(std::numbers::pi * (p - 0.5));
    EXPECT_NEAR(student_quantile(p, 1) / cauchy, 1, 1e-10);
    EXPECT_NEAR(student_quantile(p, 2) / ((2 * p - 1) / std::sqrt(2 * p * (1 - p))), 1, 1e-10);
  }
  EXPECT_NEAR(student_quantile(0.975, 1e7), 1.959964,
              2e-6);  // the quantile of the normal distribution
  EXPECT_NEAR(student_quantile(0.975, 10), 2.228139, 1e-6);  // from a table
}

TEST(Distributions, StudentTailsMatchClosedFormsAlsoIfTheyAreTiny) {
  for (const double t : {0.0, 0.1, 1.0, -3.0, 1e4, 1e15}) {
    // 1 - 2 / pi * atan(|t|) and 1 - |t| / sqrt(2 + t^2), without their cancellation.
    const double cauchy = 2 / std::numbers::pi * std::atan2(1, std::abs(t));
    EXPECT_NEAR(student_tail(t, 1) / cauchy, 1, 1e-12);
    const double root = std::sqrt(2 + t * t);
    EXPECT_NEAR(student_tail(t, 2) / (2 / (root * (root + std::abs(t)))), 1, 1e-12);
  }
  EXPECT_EQ(student_tail(std::numeric_limits<double>::infinity(), 5), 0);
}

TEST(Distributions, ChiSquareQuantilesMatchTheClosedFormAndTheNormalLimit) {
  for (const double p : {0.025, 0.5, 0.975}) {
    EXPECT_NEAR(chi_square_quantile(p, 2) / (-2 * std::log1p(-p)), 1, 1e-12);
  }
  EXPECT_NEAR(chi_square_quantile(0.025, 10), 3.246973, 1e-6);  // from a table
  // For many degrees of freedom Wilson and Hilferty's cube of a normal variable has a relative
  // error below 1 / degrees.
  const double n = 1e6;
  const double cube = 1 - 2 / (9 * n) + 1.959963985 * std::sqrt(2 / (9 * n));
  EXPECT_NEAR(chi_square_quantile(0.975, n) / (n * cube * cube * cube), 1, 1e-6);
}

TEST(Distributions, TailOfFMatchesTheClosedFormForTwoNumeratorDegrees) {
  for (const double f : {0.1, 1.0, 4.0}) {
    for (const double degrees : {3.0, 10.0, 500.0}) {
      EXPECT_NEAR(f_tail(f, 2, degrees), std::pow(1 + 2 * f / degrees, -degrees / 2), 1e-12);
    }
  }
  EXPECT_EQ(f_tail(0, 3, 5), 1);
}

TEST(Distributions, BinomialProbabilitiesMatchTheSum) {
  const std::size_t trials = 12;
  const double p = 0.3;
  double sum = 0;
  for (std::size_t k = 0; k <= trials; ++k) {
    double coefficient = 1;
    for (std::size_t i = 0; i < k; ++i) {
      coefficient *= static_cast<double>(trials - i) / static_cast<double>(i + 1);
    }
    sum += coefficient * std::pow(p, static_cast<double>(k)) *
           std::pow(1 - p, static_cast<double>(trials - k));
    EXPECT_NEAR(binomial_at_most(k, trials, p), sum, 1e-13);
  }
}

}  // namespace
}  // namespace hearsay
