#include "hearsay/learner/leader.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/simd/exponential.h"

namespace hearsay {
namespace {

class RegularizedLeader final : public Leader {
 public:
  RegularizedLeader(std::size_t arms, std::shared_ptr<const Regularizer> regularizer)
      : regularizer_(std::move(regularizer)), sums_(arms) {}

  std::size_t arms() const override { return sums_.size(); }

  bool can_add(std::span<const double> estimates) const override {
    return sums_.can_add(estimates, kLargestSum);
  }

  void add(std::span<const double> estimates, double /*rate*/,
           const RoundTotals& /*totals*/) override {
    sums_.add(estimates);
  }

  bool has_entropy() const override { return true; }

  void probabilities(double rate, std::span<double> out, double* entropy) const override {
    regularizer_->probabilities(sums_, rate, out, entropy);
  }

  bool is_exponential() const override { return regularizer_->is_exponential(); }

  void save(StateWriter& writer) const override { write_sums(writer, sums_); }

  void load(StateReader& reader) override { read_sums(reader, sums_); }

 private:
  std::shared_ptr<const Regularizer> regularizer_;
  CompensatedSums sums_;  // of the estimates of each arm
};

class FixedShare final : public Leader {
 public:
  FixedShare(std::size_t arms, Share share)
      : share_(std::move(share)),
        probabilities_(arms, 1 / static_cast<double>(arms)),
        weights_(arms) {}

  std::size_t arms() const override { return probabilities_.size(); }

  bool can_add(std::span<const double> estimates) const override {
    return std::ranges::all_of(estimates,
                               [](double estimate) { return std::abs(estimate) < kLargestSum; });
  }

  void add(std::span<const double> estimates, double rate, const RoundTotals& totals) override {
    // Estimates are taken relative to the smallest one of an arm of positive weight, whose weight
    // then stays unchanged.
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      smallest = probabilities_[i] > 0 ? std::min(smallest, estimates[i]) : smallest;
    }
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      weights_[i] = -rate * std::max(estimates[i] - smallest, 0.0);
    }
    exponentials(weights_);
    std::ranges::transform(weights_, probabilities_, weights_.begin(), std::multiplies<>());
    const double total = scale_to_one(weights_);
    const double share = checked_share(share_(totals, total * std::exp(-rate * smallest)));
    const double evenly = share / static_cast<double>(weights_.size());
    std::ranges::transform(weights_, probabilities_.begin(),
                           [&](double weight) { return (1 - share) * weight + evenly; });
  }

  bool has_entropy() const override { return false; }

  void probabilities(double /*rate*/, std::span<double> out,
                     [[maybe_unused]] double* entropy) const override {
    assert(entropy == nullptr);
    std::ranges::copy(probabilities_, out.begin());
  }

  void save(StateWriter& writer) const override {
    for (const double probability : probabilities_) {
      writer.add(probability);
    }
  }

  void load(StateReader& reader) override {
    std::ranges::generate(probabilities_, [&] { return read_finite(reader); });
    reader.require(are_probabilities(probabilities_),
                   "has probabilities that are negative or do not sum to 1");
  }

 private:
  Share share_;
  std::vector<double> probabilities_;
  std::vector<double> weights_;  // a buffer that is kept, so that a round allocates nothing
};

}  // namespace

std::unique_ptr<Leader> regularized_leader(std::size_t arms,
                                           std::shared_ptr<const Regularizer> regularizer) {
  return std::make_unique<RegularizedLeader>(arms, std::move(regularizer));
}

double checked_share(double share) {
  if (!(share >= 0 && share <= 1)) {
    throw Error("learner",
                fmt::format("has a fixed share of {}, expected a number in [0, 1]", share));
  }
  return share;
}

Share added_share(double addend) {
  return [addend](const RoundTotals& /*totals*/, double z) { return addend / (addend + z); };
}

std::unique_ptr<Leader> fixed_share(std::size_t arms, Share share) {
  return std::make_unique<FixedShare>(arms, std::move(share));
}

}  // namespace hearsay
