#include "hearsay/learner/regularizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "hearsay/simd/exponential.h"

namespace hearsay {
namespace {

class Shannon final : public Regularizer {
 public:
  void probabilities(const CompensatedSums& sums, double rate,
                     std::span<double> out) const override {
    // The exponents are relative to the smallest sum: the largest weight is 1, and none overflows.
    sums.scaled_above(sums.smallest(), -rate, out);
    exponentials(out);
    scale_to_one(out);
  }
};

}  // namespace

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

void scale_to_one(std::span<double> weights) {
  const double scale = 1 / sum_in_blocks(weights);
  for (double& weight : weights) {
    weight *= scale;
  }
}

bool are_probabilities(std::span<const double> numbers) {
  return std::ranges::min(numbers) >= 0 && std::abs(sum_in_blocks(numbers) - 1) < 1e-9;
}

}  // namespace hearsay
