#pragma once

// exp3-wix with the adaptive rate and R = 1 on a fixed dense graph, written by hand for this one
// case with arrays and loops and without checks. The benchmarks compare the engines with it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace hearsay::benchmarks {

class PlainWix {
 public:
  PlainWix(std::size_t arms, const std::vector<double>& weights)
      : n_(arms),
        s_(weights),
        squares_(weights),
        sums_(arms),
        p_(arms, 1.0 / double(arms)),
        d_(arms) {
    for (double& square : squares_) {
      square *= square;
    }
    set_rate();
  }

  std::size_t draw(double u) const {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      sum += p_[i];
      if (sum > u) {
        return i;
      }
    }
    return n_ - 1;
  }

  // `c` has an observation for every arm.
  void observe(std::size_t played, const double* c) {
    std::fill(d_.begin(), d_.end(), 0.0);
    for (std::size_t j = 0; j < n_; ++j) {
      const double p = p_[j];
      const double* row = squares_.data() + j * n_;
      for (std::size_t i = 0; i < n_; ++i) {
        d_[i] += p * row[i];
      }
    }
    const double* weight = s_.data() + played * n_;
    double q = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double denominator = d_[i] + gamma_;
      sums_[i] += weight[i] * c[i] / denominator;
      q += p_[i] / denominator;
    }
    sum_q_ += q;
    set_rate();
    const double smallest = *std::min_element(sums_.begin(), sums_.end());
    double total = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      p_[i] = std::exp(-eta_ * (sums_[i] - smallest));
      total += p_[i];
    }
    for (std::size_t i = 0; i < n_; ++i) {
      p_[i] /= total;
    }
  }

 private:
  void set_rate() {
    const auto n = static_cast<double>(n_);
    eta_ = std::sqrt(std::log(n) / (2 * 3 * (n + sum_q_)));
    gamma_ = eta_;
  }

  std::size_t n_;
  std::vector<double> s_;
  std::vector<double> squares_;
  std::vector<double> sums_;
  std::vector<double> p_;
  std::vector<double> d_;
  double sum_q_ = 0;
  double eta_ = 0;
  double gamma_ = 0;
};

}  // namespace hearsay::benchmarks
