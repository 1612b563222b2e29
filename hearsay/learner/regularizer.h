#pragma once

// The regularizer of a learner that follows the regularized leader: how sums of estimates become
// probabilities.

#include <cstddef>
#include <memory>
#include <numbers>
#include <span>

#include "hearsay/base/compensated_sum.h"

namespace hearsay {

class Regularizer {
 public:
  Regularizer() = default;
  Regularizer(const Regularizer&) = delete;
  Regularizer& operator=(const Regularizer&) = delete;
  virtual ~Regularizer() = default;

  // Writes the probabilities at this rate, given the sum of the estimates of each arm, and, unless
  // `entropy` is null, their entropy -psi(p), which is 0 if one arm has probability 1 and largest
  // if all are equal.
  virtual void probabilities(const CompensatedSums& sums, double rate, std::span<double> out,
                             double* entropy) const = 0;

  // Whether the probabilities are proportional to exp(-rate * sum).
  virtual bool is_exponential() const { return false; }
};

namespace regularizers {
// The Shannon entropy gives exponential weights: probabilities proportional to exp(-rate * sum).
std::shared_ptr<const Regularizer> shannon();

// The Tsallis entropy (sum of p^order - 1) / (1 - order), with an order in (0, 1).
std::shared_ptr<const Regularizer> tsallis(double order);
}  // namespace regularizers

// C of docs/learners.md: a round of exponential weights costs at most C * rate * its second moment,
// if rate * estimate is at least -1, because exp(x) <= 1 + x + (e - 2) x^2 for x <= 1.
inline constexpr double kSecondMoment = std::numbers::e - 2;

// Limits of Newton's method, which finds the normaliser for a Tsallis entropy.
inline constexpr int kMostNewtonSteps = 100;
inline constexpr double kNewtonPrecision = 1e-13;

// Weights are added up in blocks of this many, so that the rounding error for a million terms is
// like that for a few thousand.
inline constexpr std::size_t kSummedTogether = 512;
double sum_in_blocks(std::span<const double> terms);

// Divides the weights by their sum, and returns the sum.
double scale_to_one(std::span<double> weights);

// The Shannon entropy of the probabilities exp(-rate * above) / total, given the mean of `above`
// under them.
double shannon_entropy(double total, double rate, double mean_above);

// The least of sums[i] + terms[i].
double least_sum(const CompensatedSums& sums, std::span<const double> terms);

// Whether all numbers are at least 0 and their sum is 1 up to rounding.
bool are_probabilities(std::span<const double> numbers);

}  // namespace hearsay
