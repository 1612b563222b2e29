#include "hearsay/learner/regularizer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "hearsay/base/interruption.h"
#include "hearsay/base/power.h"
#include "hearsay/simd/exponential.h"

namespace hearsay {
namespace {

class Shannon final : public Regularizer {
 public:
  void probabilities(const CompensatedSums& sums, double rate, std::span<double> out,
                     double* entropy) const override {
    // The exponents are relative to the smallest sum, so that the largest weight is 1 and none
    // overflows.
    const CompensatedSum smallest = sums.smallest();
    sums.scaled_above(smallest, -rate, out);
    exponentials(out);
    const double total = scale_to_one(out);
    if (entropy != nullptr) {
      double mean_above = 0;
      for (std::size_t i = 0; i < out.size(); ++i) {
        mean_above += out[i] * sums[i].minus(smallest);
      }
      *entropy = shannon_entropy(total, rate, mean_above);
    }
  }

  bool is_exponential() const override { return true; }
};

// The minimiser is p_i = (r / (rate * above_i + y))^a, where a = 1 / (1 - order), r = order * a,
// above_i is sum i minus the smallest sum, and y in [r, r * arms^(1 - order)] is such that the p_i
// sum to 1.
class Tsallis final : public Regularizer {
 public:
  explicit Tsallis(double order)
      : order_(order), exponent_(1 / (1 - order)), numerator_(order / (1 - order)) {}

  void probabilities(const CompensatedSums& sums, double rate, std::span<double> out,
                     double* entropy) const override {
    const CompensatedSum smallest = sums.smallest();
    const double y = root(sums, smallest, rate);
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = power(numerator_ / (rate * sums[i].minus(smallest) + y), exponent_);
    }
    scale_to_one(out);
    if (entropy != nullptr) {
      double sum = 0;
      for (const double p : out) {
        sum += power(p, order_);
      }
      *entropy = std::max(0.0, (sum - 1) / (1 - order_));
    }
  }

 private:
  // The sum of the p_i is convex and decreasing in y, and at least 1 at y = r. From there Newton's
  // method increases y towards the root and never exceeds it, usually in five to fifteen steps. The
  // slope is -(a / r) * the sum of p_i * (r / (rate * above_i + y)), and a / r = 1 / order.
  double root(const CompensatedSums& sums, const CompensatedSum& smallest, double rate) const {
    double y = numerator_;
    for (int step = 0; step < kMostNewtonSteps; ++step) {
      double sum = 0;
      double slope = 0;
      for (std::size_t i = 0; i < sums.size(); ++i) {
        const double ratio = numerator_ / (rate * sums[i].minus(smallest) + y);
        const double weight = power(ratio, exponent_);
        sum += weight;
        slope += weight * ratio;
      }
      note_work(sums.size());
      const double move = order_ * (sum - 1) / slope;
      y += move;
      if (std::abs(move) <= kNewtonPrecision * y) {
        break;
      }
    }
    return y;
  }

  double order_;
  double exponent_;
  double numerator_;
};

}  // namespace

std::shared_ptr<const Regularizer> regularizers::tsallis(double order) {
  return std::make_shared<const Tsallis>(order);
}

std::shared_ptr<const Regularizer> regularizers::shannon() {
  static const auto shannon = std::make_shared<const Shannon>();
  return shannon;
}

double sum_in_blocks(std::span<const double> terms) {
  double sum = 0;
  for (std::size_t begin = 0; begin < terms.size(); begin += kSummedTogether) {
    const std::span<const double> block =
        terms.subspan(begin, std::min(kSummedTogether, terms.size() - begin));
    sum += std::accumulate(block.begin(), block.end(), 0.0);
  }
  return sum;
}

double scale_to_one(std::span<double> weights) {
  const double sum = sum_in_blocks(weights);
  const double scale = 1 / sum;
  for (double& weight : weights) {
    weight *= scale;
  }
  return sum;
}

// -log p = log(total) + rate * above. The total is at least 1, the weight of the smallest sum. A
// rate of 0, or a total that rounding made smaller than 1, must not give -0 or a negative entropy.
double shannon_entropy(double total, double rate, double mean_above) {
  return std::max(0.0, std::log(total) + rate * mean_above);
}

double least_sum(const CompensatedSums& sums, std::span<const double> terms) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    CompensatedSum sum = sums[i];
    sum.add(terms[i]);
    least = std::min(least, sum.value());
  }
  return least;
}

bool are_probabilities(std::span<const double> numbers) {
  return std::ranges::min(numbers) >= 0 && std::abs(sum_in_blocks(numbers) - 1) < 1e-9;
}

}  // namespace hearsay
