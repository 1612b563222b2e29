#pragma once

// A running sum that does not drift: the rounding error of every addition is kept and given back
// (Neumaier 1974), so 10^9 terms add up as exactly as two.

#include <cmath>

namespace hearsay {

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

  // *this - other, exact where the two are close.
  double minus(const CompensatedSum& other) const {
    return (rounded_ - other.rounded_) + (error_ - other.error_);
  }

  double rounded() const { return rounded_; }
  double error() const { return error_; }

 private:
  double rounded_ = 0;
  double error_ = 0;
};

}  // namespace hearsay
