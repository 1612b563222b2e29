#pragma once

// A running sum that does not drift: the rounding error of every addition is kept and added back
// (Neumaier 1974), so a sum of 10^9 terms is as exact as a sum of two.

#include <cstddef>
#include <span>
#include <vector>

#include "hearsay/base/error.h"
#include "hearsay/base/state.h"

namespace hearsay {

// Sums stay below this in magnitude, so that the difference of two never overflows.
inline constexpr double kLargestSum = 1e300;

// Thrown if a term would bring a sum to kLargestSum or more; the sum has not changed. Valid
// settings can lead to it: very small weights or very much noise make very large estimates.
class SumTooLarge : public Error {
 public:
  using Error::Error;
};

class CompensatedSum {
 public:
  CompensatedSum() = default;
  CompensatedSum(double rounded, double error) : rounded_(rounded), error_(error) {}

  void add(double term) {
    const double sum = rounded_ + term;
    // Knuth's two-sum: exact for any two numbers, and no branch in a loop over arms.
    const double of_term = sum - rounded_;
    error_ += (rounded_ - (sum - of_term)) + (term - of_term);
    rounded_ = sum;
  }

  double value() const { return rounded_ + error_; }

  // *this - other. If the two are close, cancellation costs no accuracy.
  double minus(const CompensatedSum& other) const {
    return (rounded_ - other.rounded_) + (error_ - other.error_);
  }

  double rounded() const { return rounded_; }
  double error() const { return error_; }

 private:
  double rounded_ = 0;
  double error_ = 0;
};

// One sum for each arm. The rounded sums and the errors are two arrays, so that loops over arms
// vectorize.
class CompensatedSums {
 public:
  explicit CompensatedSums(std::size_t size) : rounded_(size), error_(size) {}

  std::size_t size() const { return rounded_.size(); }
  CompensatedSum operator[](std::size_t i) const { return {rounded_[i], error_[i]}; }
  void set(std::size_t i, const CompensatedSum& sum);

  // Adds terms[i] to sum i. A term of 0 changes no bit.
  void add(std::span<const double> terms);

  // Whether every sum stays in (-limit, limit) when these terms are added.
  bool can_add(std::span<const double> terms, double limit) const;

  // The smallest sum; the first of them if there are several.
  CompensatedSum smallest() const;

  // out[i] = factor * ((*this)[i] - reference)
  void scaled_above(const CompensatedSum& reference, double factor, std::span<double> out) const;

 private:
  std::vector<double> rounded_;
  std::vector<double> error_;
};

// Write to saved state, and read back.
void write_sum(StateWriter& writer, const CompensatedSum& sum);
CompensatedSum read_sum(StateReader& reader);
void write_sums(StateWriter& writer, const CompensatedSums& sums);
void read_sums(StateReader& reader, CompensatedSums& sums);  // as many as `sums` has
void write_numbers(StateWriter& writer, std::span<const double> numbers);
std::vector<double> read_numbers(StateReader& reader);

// Reads a number. Throws Error if it is not in (-kLargestSum, kLargestSum), as the functions above
// do for every number that they read.
double read_finite(StateReader& reader);

}  // namespace hearsay
