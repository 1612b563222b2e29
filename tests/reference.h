#pragma once

// A second implementation of the learners, written from docs/model.md without the library. It is
// slow and follows the formulas one by one. The tests compare the library with it.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hearsay::reference {

struct Setting {
  std::string learner;
  std::size_t n = 0;
  double noise_bound = 1;
  std::optional<double> static_eta;
  std::optional<double> fixed_gamma;
  double eps = 0;
  double delta = 1;
  bool sharp = false;
};

using Vector = std::vector<double>;
using Weights = std::vector<Vector>;  // s[j][i] is the weight with which playing j shows i

struct RoundNumbers {
  double eta = 0;
  double gamma = 0;
  double q = 0;
  Vector p;
  Vector estimates;
  std::optional<double> bound;
};

class Reference {
 public:
  explicit Reference(Setting setting) : setting_(std::move(setting)), sums_(setting_.n, 0.0L) {}

  double eta() const {
    if (setting_.learner == "uniform") {
      return 0;
    }
    if (setting_.static_eta) {
      return *setting_.static_eta;
    }
    const double n = static_cast<double>(setting_.n);
    const double r = setting_.noise_bound;
    const double log_n = std::log(n);
    if (setting_.learner == "exp3") {
      return std::sqrt(log_n / (n * (static_cast<double>(rounds_) + 1)));
    }
    if (setting_.learner == "hedge") {
      return std::sqrt(8 * log_n / (static_cast<double>(rounds_) + 1));
    }
    if (setting_.learner == "exp3-ix" || setting_.learner == "exp3-ixb") {
      return std::sqrt(log_n / (n + sum_q_));
    }
    if (setting_.learner == "exp3-basic" || setting_.learner == "exp3-ixt") {
      const double m = rounds_ == 0 ? 1 + r + r * r : largest_a_;
      return std::sqrt(log_n / (2 * (n * m + sum_aq_)));
    }
    if (setting_.learner == "exp3-wix") {
      const double a = setting_.sharp ? (M_E - 2) * std::max(1.0, r * r) + r / 4 : 1 + r + r * r;
      return std::sqrt(log_n / (2 * a * (n + sum_q_)));
    }
    return std::sqrt(log_n / (2 * (M_E - 1.5) * (n + sum_q_)));  // exp3-ivx
  }

  double gamma(double eta) const {
    if (setting_.learner == "uniform" || setting_.learner == "hedge") {
      return 0;
    }
    if (setting_.fixed_gamma) {
      return *setting_.fixed_gamma;
    }
    if (setting_.learner == "exp3") {
      return 0;
    }
    if (setting_.learner == "exp3-ix" || setting_.learner == "exp3-ixb") {
      return eta;
    }
    if (setting_.learner == "exp3-ivx") {
      return eta / 2;
    }
    if (setting_.noise_bound == 0 && !setting_.static_eta) {
      return eta;
    }
    return setting_.sharp ? setting_.noise_bound * eta / 4 : setting_.noise_bound * eta;
  }

  Vector probabilities() const {
    const long double smallest = *std::min_element(sums_.begin(), sums_.end());
    const double rate = eta();
    Vector p(setting_.n);
    double total = 0;
    for (std::size_t i = 0; i < setting_.n; ++i) {
      p[i] = std::exp(-rate * static_cast<double>(sums_[i] - smallest));
      total += p[i];
    }
    for (double& each : p) {
      each /= total;
    }
    return p;
  }

  // One round in which `played` showed the observations c on the graph s. Where nothing was seen, c
  // may have any value.
  RoundNumbers observe(std::size_t played, const Vector& c, const Weights& s) {
    RoundNumbers numbers;
    numbers.eta = eta();
    numbers.gamma = gamma(numbers.eta);
    numbers.p = probabilities();
    numbers.estimates.assign(setting_.n, 0.0);
    for (std::size_t i = 0; i < setting_.n; ++i) {
      double d = 0;
      for (std::size_t j = 0; j < setting_.n; ++j) {
        d += numbers.p[j] * y(s[j][i], j == i);
      }
      const double gain = x(s[played][i], played == i);
      if (gain != 0) {
        numbers.estimates[i] = gain * c[i] / (d + numbers.gamma);
      }
      if (numbers.p[i] > 0) {
        numbers.q += numbers.p[i] / (d + numbers.gamma);
      }
    }
    for (std::size_t i = 0; i < setting_.n; ++i) {
      sums_[i] += numbers.estimates[i];
    }
    const double a = price(s);
    largest_a_ = std::max(largest_a_, a);
    sum_aq_ += a * numbers.q;
    sum_q_ += numbers.q;
    rounds_ += 1;
    numbers.bound = bound(numbers);
    return numbers;
  }

 private:
  // The gain X of an observation of weight s.
  double x(double s, bool self) const {
    const std::string& name = setting_.learner;
    if (name == "exp3" || name == "uniform") {
      return self ? 1 : 0;
    }
    if (name == "exp3-ix") {
      return self || s == 1 ? 1 : 0;
    }
    if (name == "exp3-ixb") {
      return self || s >= setting_.eps ? 1 : 0;
    }
    if (name == "exp3-basic") {
      return s > 0 ? 1 : 0;
    }
    if (name == "exp3-ixt") {
      return self || (s >= setting_.eps && s > 0) ? 1 : 0;
    }
    if (name == "exp3-wix") {
      return std::pow(s, setting_.delta);
    }
    if (name == "exp3-ivx") {
      return s > 0 ? s / (s * s + (1 - s) * (1 - s) * setting_.noise_bound * setting_.noise_bound)
                   : 0;
    }
    return 1;  // hedge
  }

  // The coverage Y of the weight s.
  double y(double s, bool self) const {
    const std::string& name = setting_.learner;
    if (name == "exp3-basic" || name == "exp3-ixt" || name == "exp3-wix" || name == "exp3-ivx") {
      return x(s, self) * s;
    }
    return x(s, self);
  }

  // The price A of exp3-ixt and exp3-basic.
  double price(const Weights& s) const {
    double smallest = 1;
    for (std::size_t j = 0; j < setting_.n; ++j) {
      for (std::size_t i = 0; i < setting_.n; ++i) {
        if (i != j && s[j][i] > 0 &&
            s[j][i] >= (setting_.learner == "exp3-ixt" ? setting_.eps : 0)) {
          smallest = std::min(smallest, s[j][i]);
        }
      }
    }
    return setting_.noise_bound + (1 + setting_.noise_bound * setting_.noise_bound) / smallest;
  }

  std::optional<double> bound(const RoundNumbers& numbers) {
    const double r = setting_.noise_bound;
    double least = 0;
    double c = 0;
    if (setting_.learner == "exp3-wix") {
      least = setting_.sharp ? r / 4 * numbers.eta : r * numbers.eta;
      c = setting_.sharp ? (M_E - 2) * std::max(1.0, r * r) : 1 + r * r;
    } else if (setting_.learner == "exp3-ivx") {
      least = numbers.eta / 2;
      c = M_E - 2;
    } else {
      return std::nullopt;
    }
    condition_held_ = condition_held_ && numbers.gamma >= least * (1 - 1e-12);
    bound_sum_ += (numbers.gamma + c * numbers.eta) * numbers.q;
    if (!condition_held_) {
      return std::nullopt;
    }
    return (setting_.n > 1 ? std::log(static_cast<double>(setting_.n)) / numbers.eta : 0) +
           bound_sum_;
  }

  Setting setting_;
  std::vector<long double>
      sums_;  // long double, so that the rounding of these sums does not matter
  double sum_q_ = 0;
  double sum_aq_ = 0;
  double largest_a_ = 0;
  double bound_sum_ = 0;
  std::size_t rounds_ = 0;
  bool condition_held_ = true;
};

}  // namespace hearsay::reference
