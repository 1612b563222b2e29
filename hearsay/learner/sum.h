#pragma once

// A running sum that does not drift: the rounding error of every addition is kept and given back
// (Neumaier 1974), so 10^9 terms add up as exactly as two.

#include <cstddef>
#include <span>
#include <vector>

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

// One for each arm, with the two halves apart: so loops over arms run along the vectors of the
// machine.
class CompensatedSums {
 public:
  explicit CompensatedSums(std::size_t size) : rounded_(size), error_(size) {}

  std::size_t size() const { return rounded_.size(); }
  CompensatedSum operator[](std::size_t i) const { return {rounded_[i], error_[i]}; }
  void set(std::size_t i, const CompensatedSum& sum);

  // A term to each sum. One of 0 changes not a bit.
  void add(std::span<const double> terms);

  // Whether every sum stays in (-limit, limit) with these terms added.
  bool can_add(std::span<const double> terms, double limit) const;

  // The first of the smallest.
  CompensatedSum smallest() const;

  // out[i] = factor * ((*this)[i] - reference)
  void scaled_above(const CompensatedSum& reference, double factor, std::span<double> out) const;

 private:
  std::vector<double> rounded_;
  std::vector<double> error_;
};

}  // namespace hearsay
