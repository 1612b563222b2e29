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
using Weights = std::vector<Vector>;  // s[j][i]: playing j shows i

struct Figures {
  double eta = 0;
  double gamma = 0;
  double q = 0;
  Vector p;
  Vector estimates;
  std::optional<double> bound;
};

class Reference {
 public:
  explicit Reference(Setting setting) : set_(std::move(setting)), sums_(set_.n, 0.0L) {}

  double eta() const {
    if (set_.learner == "uniform") {
      return 0;
    }
    if (set_.static_eta) {
      return *set_.static_eta;
    }
    const double n = static_cast<double>(set_.n);
    const double r = set_.noise_bound;
    const double log_n = std::log(n);
    if (set_.learner == "exp3") {
      return std::sqrt(log_n / (n * (static_cast<double>(told_) + 1)));
    }
    if (set_.learner == "hedge") {
      return std::sqrt(8 * log_n / (static_cast<double>(told_) + 1));
    }
    if (set_.learner == "exp3-ix" || set_.learner == "exp3-ixb") {
      return std::sqrt(log_n / (n + sum_q_));
    }
    if (set_.learner == "exp3-basic" || set_.learner == "exp3-ixt") {
      const double m = told_ == 0 ? 1 + r + r * r : largest_a_;
      return std::sqrt(log_n / (2 * (n * m + sum_aq_)));
    }
    if (set_.learner == "exp3-wix") {
      const double a = set_.sharp ? (M_E - 2) * std::max(1.0, r * r) + r / 4 : 1 + r + r * r;
      return std::sqrt(log_n / (2 * a * (n + sum_q_)));
    }
    return std::sqrt(log_n / (2 * (M_E - 1.5) * (n + sum_q_)));  // exp3-ivx
  }

  double gamma(double eta) const {
    if (set_.learner == "uniform" || set_.learner == "hedge") {
      return 0;
    }
    if (set_.fixed_gamma) {
      return *set_.fixed_gamma;
    }
    if (set_.learner == "exp3") {
      return 0;
    }
    if (set_.learner == "exp3-ix" || set_.learner == "exp3-ixb") {
      return eta;
    }
    if (set_.learner == "exp3-ivx") {
      return eta / 2;
    }
    if (set_.noise_bound == 0 && !set_.static_eta) {
      return eta;
    }
    return set_.sharp ? set_.noise_bound * eta / 4 : set_.noise_bound * eta;
  }

  Vector probabilities() const {
    const long double smallest = *std::min_element(sums_.begin(), sums_.end());
    const double rate = eta();
    Vector p(set_.n);
    double total = 0;
    for (std::size_t i = 0; i < set_.n; ++i) {
      p[i] = std::exp(-rate * static_cast<double>(sums_[i] - smallest));
      total += p[i];
    }
    for (double& x : p) {
      x /= total;
    }
    return p;
  }

  // One round: `played` showed observations c (anything where nothing was seen) on the graph s.
  Figures observe(std::size_t played, const Vector& c, const Weights& s) {
    Figures f;
    f.eta = eta();
    f.gamma = gamma(f.eta);
    f.p = probabilities();
    f.estimates.assign(set_.n, 0.0);
    for (std::size_t i = 0; i < set_.n; ++i) {
      double d = 0;
      for (std::size_t j = 0; j < set_.n; ++j) {
        d += f.p[j] * y(s[j][i], j == i);
      }
      const double gain = x(s[played][i], played == i);
      if (gain != 0) {
        f.estimates[i] = gain * c[i] / (d + f.gamma);
      }
      if (f.p[i] > 0) {
        f.q += f.p[i] / (d + f.gamma);
      }
    }
    for (std::size_t i = 0; i < set_.n; ++i) {
      sums_[i] += f.estimates[i];
    }
    const double a = price(s);
    largest_a_ = std::max(largest_a_, a);
    sum_aq_ += a * f.q;
    sum_q_ += f.q;
    told_ += 1;
    f.bound = bound(f);
    return f;
  }

 private:
  double x(double s, bool self) const {
    const std::string& name = set_.learner;
    if (name == "exp3" || name == "uniform") {
      return self ? 1 : 0;
    }
    if (name == "exp3-ix") {
      return self || s == 1 ? 1 : 0;
    }
    if (name == "exp3-ixb") {
      return self || s >= set_.eps ? 1 : 0;
    }
    if (name == "exp3-basic") {
      return s > 0 ? 1 : 0;
    }
    if (name == "exp3-ixt") {
      return self || (s >= set_.eps && s > 0) ? 1 : 0;
    }
    if (name == "exp3-wix") {
      return std::pow(s, set_.delta);
    }
    if (name == "exp3-ivx") {
      return s > 0 ? s / (s * s + (1 - s) * (1 - s) * set_.noise_bound * set_.noise_bound) : 0;
    }
    return 1;  // hedge
  }

  double y(double s, bool self) const {
    const std::string& name = set_.learner;
    if (name == "exp3-basic" || name == "exp3-ixt" || name == "exp3-wix" || name == "exp3-ivx") {
      return x(s, self) * s;
    }
    return x(s, self);
  }

  // A_u of exp3-ixt.
  double price(const Weights& s) const {
    double smallest = 1;
    for (std::size_t j = 0; j < set_.n; ++j) {
      for (std::size_t i = 0; i < set_.n; ++i) {
        if (i != j && s[j][i] > 0 && s[j][i] >= (set_.learner == "exp3-ixt" ? set_.eps : 0)) {
          smallest = std::min(smallest, s[j][i]);
        }
      }
    }
    return set_.noise_bound + (1 + set_.noise_bound * set_.noise_bound) / smallest;
  }

  std::optional<double> bound(const Figures& f) {
    const double r = set_.noise_bound;
    double least = 0;
    double c = 0;
    if (set_.learner == "exp3-wix") {
      least = set_.sharp ? r / 4 * f.eta : r * f.eta;
      c = set_.sharp ? (M_E - 2) * std::max(1.0, r * r) : 1 + r * r;
    } else if (set_.learner == "exp3-ivx") {
      least = f.eta / 2;
      c = M_E - 2;
    } else {
      return std::nullopt;
    }
    condition_held_ = condition_held_ && f.gamma >= least * (1 - 1e-12);
    bound_sum_ += (f.gamma + c * f.eta) * f.q;
    if (!condition_held_) {
      return std::nullopt;
    }
    return (set_.n > 1 ? std::log(static_cast<double>(set_.n)) / f.eta : 0) + bound_sum_;
  }

  Setting set_;
  std::vector<long double> sums_;  // so that its own rounding does not count
  double sum_q_ = 0;
  double sum_aq_ = 0;
  double largest_a_ = 0;
  double bound_sum_ = 0;
  std::size_t told_ = 0;
  bool condition_held_ = true;
};

}  // namespace hearsay::reference
