#pragma once

// The regularizer of a learner that follows the regularized leader: how sums of estimates become
// probabilities.

#include <cstddef>
#include <memory>
#include <span>

#include "hearsay/base/compensated_sum.h"

namespace hearsay {

class Regularizer {
 public:
  Regularizer() = default;
  Regularizer(const Regularizer&) = delete;
  Regularizer& operator=(const Regularizer&) = delete;
  virtual ~Regularizer() = default;

  // Writes the probabilities at this rate, given the sum of the estimates of each arm. `*entropy`
  // is set to their entropy -psi(p) unless it is null: 0 if one arm has probability 1, the largest
  // if all are equal.
  virtual void probabilities(const CompensatedSums& sums, double rate, std::span<double> out,
                             double* entropy) const = 0;
};

namespace regularizers {
// The Shannon entropy: probabilities in proportion to exp(-rate * sum), exponential weights.
std::shared_ptr<const Regularizer> shannon();

// The Tsallis entropy (sum of p^order - 1) / (1 - order), with an order in (0, 1).
std::shared_ptr<const Regularizer> tsallis(double order);
}  // namespace regularizers

// When the search for the normaliser of a Tsallis entropy ends.
inline constexpr int kMostNewtonSteps = 100;
inline constexpr double kNewtonPrecision = 1e-13;

// Weights are added up in blocks of so many, so that the rounding error of a million terms is that
// of a few hundred.
inline constexpr std::size_t kSummedTogether = 512;
double sum_in_blocks(std::span<const double> terms);

// Divides the weights by their sum, which it returns.
double scale_to_one(std::span<double> weights);

// The Shannon entropy of the probabilities exp(-rate * above) / total, given the mean of `above`
// under them.
double shannon_entropy(double total, double rate, double mean_above);

// The least of sums[i] + terms[i].
double least_sum(const CompensatedSums& sums, std::span<const double> terms);

// Whether all are at least 0 and their sum is 1, but for rounding.
bool are_probabilities(std::span<const double> numbers);

}  // namespace hearsay
