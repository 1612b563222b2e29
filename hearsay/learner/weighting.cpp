#include "hearsay/learner/weighting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/simd/product.h"

namespace hearsay {
namespace {

double without_tiny(double weight) {
  return weight < kSmallestWeight ? 0.0 : weight;
}

enum class Whose { others, own };  // whether another arm or the arm played is observed

// A weighting from two functions of (weight, whose), which the compiler inlines into the loops over
// weights.
template <class Gain, class Coverage>
class Pointwise final : public Weighting {
 public:
  Pointwise(Gain gain, Coverage coverage) : gain_(gain), coverage_(coverage) {}

  void gains(std::span<const double> weights, std::span<double> out) const override {
    std::ranges::transform(weights, out.begin(),
                           [&](double s) { return gain_(without_tiny(s), Whose::others); });
  }
  void coverages(std::span<const double> weights, std::span<double> out) const override {
    std::ranges::transform(weights, out.begin(),
                           [&](double s) { return coverage_(without_tiny(s), Whose::others); });
  }
  double self_gain(double self_weight) const override { return gain_(self_weight, Whose::own); }
  double self_coverage(double self_weight) const override {
    return coverage_(self_weight, Whose::own);
  }

 private:
  Gain gain_;
  Coverage coverage_;
};

template <class Gain, class Coverage>
std::shared_ptr<const Weighting> pointwise(Gain gain, Coverage coverage) {
  return std::make_shared<const Pointwise<Gain, Coverage>>(gain, coverage);
}

bool kept(double weight, Whose whose, double at_least) {
  return whose == Whose::own || weight >= at_least;
}

// s / v and s^2 / v, v = loss_moment * s^2 + (1 - s)^2 R^2, divided through by s^2.
std::shared_ptr<const Weighting> by_inverse_variance(double noise_bound, double loss_moment) {
  const auto spread = [noise_bound, loss_moment](double s) {
    const double noise_to_signal = (1 - s) * noise_bound / s;
    return loss_moment + noise_to_signal * noise_to_signal;
  };
  return pointwise([spread](double s, Whose) { return s == 0 ? 0.0 : 1 / (s * spread(s)); },
                   [spread](double s, Whose) { return s == 0 ? 0.0 : 1 / spread(s); });
}

}  // namespace

namespace weightings {

std::shared_ptr<const Weighting> own_loss() {
  const auto own = [](double, Whose whose) { return whose == Whose::own ? 1.0 : 0.0; };
  return pointwise(own, own);
}

std::shared_ptr<const Weighting> taken_as_loss(double at_least) {
  const auto all_or_nothing = [at_least](double s, Whose whose) {
    return kept(s, whose, at_least) ? 1.0 : 0.0;
  };
  return pointwise(all_or_nothing, all_or_nothing);
}

std::shared_ptr<const Weighting> truncated(double at_least) {
  return pointwise(
      [at_least](double s, Whose whose) { return kept(s, whose, at_least) && s > 0 ? 1.0 : 0.0; },
      [at_least](double s, Whose whose) { return kept(s, whose, at_least) ? s : 0.0; });
}

std::shared_ptr<const Weighting> by_power(double delta) {
  if (delta == 1) {
    return pointwise([](double s, Whose) { return s; }, [](double s, Whose) { return s * s; });
  }
  return pointwise([delta](double s, Whose) { return std::pow(s, delta); },
                   [delta](double s, Whose) { return std::pow(s, 1 + delta); });
}

std::shared_ptr<const Weighting> inverse_variance(double noise_bound) {
  return by_inverse_variance(noise_bound, 1);
}

std::shared_ptr<const Weighting> centred_inverse_variance(double noise_bound) {
  return by_inverse_variance(noise_bound, 0.25);
}

}  // namespace weightings

namespace {

// The same matrix without its zeros.
Matrix without_zeros(const Matrix& matrix) {
  const std::size_t n = matrix.size();
  const auto nonzero = static_cast<std::size_t>(
      std::ranges::count_if(matrix.values(), [](double value) { return value != 0; }));
  std::vector<std::size_t> row_begin(n + 1);
  std::vector<Arm> columns;
  std::vector<double> values;
  columns.reserve(nonzero);
  values.reserve(nonzero);
  for (std::size_t i = 0; i < n; ++i) {
    row_begin[i] = values.size();
    const std::span<const double> row = matrix.row(i);
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (row[k] != 0) {
        columns.push_back(matrix.is_dense() ? static_cast<Arm>(k) : matrix.row_columns(i)[k]);
        values.push_back(row[k]);
      }
    }
    note_work(row.size());
  }
  row_begin[n] = values.size();
  return {n, std::move(row_begin), std::move(columns), std::move(values)};
}

}  // namespace

bool covers_everything(const Weighting& weighting) {
  const std::array<double, 3> weights = {0, 0.5, 1};
  std::array<double, 3> coverages{};
  weighting.coverages(weights, coverages);
  if (coverages[0] == 0) {
    return false;
  }
  if (!std::ranges::all_of(coverages, [](double coverage) { return coverage == 1; })) {
    throw Error("learner", fmt::format("has a Weighting with coverage {} of weight 0, expected 0, "
                                       "or 1 for all weights",
                                       coverages[0]));
  }
  return true;
}

Coverage::Coverage(const Weighting& weighting, const Graph& graph) {
  if (covers_everything(weighting)) {
    return;
  }
  const Matrix& weights = graph.weights();
  auto coverages = filled<double>(weights.values().size());
  std::span<double> rest = coverages;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::span<const double> row = weights.row(i);
    weighting.coverages(row, rest.first(row.size()));
    rest = rest.subspan(row.size());
    note_work(row.size());
  }
  const double own = weighting.self_coverage(graph.self_weight());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    coverages[weights.find(i, i)] = own;
  }
  Matrix matrix = weights.with_values(std::move(coverages));
  // A sparse entry costs about four dense ones: an index to load, and no SIMD.
  const std::size_t entries = matrix.values().size();
  const auto zeros = static_cast<std::size_t>(std::ranges::count(matrix.values(), 0.0));
  matrix_ = 4 * (entries - zeros) < entries ? without_zeros(matrix) : std::move(matrix);
  if (matrix_->is_dense() && matrix_->size() <= SmallMatrix::kLargest) {
    small_ = std::make_shared<SmallMatrix>(matrix_->size(), matrix_->values());
  }
}

void Coverage::of(std::span<const double> probabilities, std::span<double> out) const {
  if (small_) {
    small_->left_multiply(probabilities, out);
  } else if (matrix_) {
    matrix_->left_multiply(probabilities, out);
  } else {
    std::ranges::fill(out, 1.0);  // which is the sum of the probabilities
  }
}

}  // namespace hearsay
