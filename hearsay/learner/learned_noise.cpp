#include "hearsay/learner/learned_noise.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hearsay {
namespace {

// Observations of a larger weight may depend more on the loss than on the noise.
constexpr double kLargestSmallWeight = 0.6;

// A larger square counts as this, so that no sum overflows.
constexpr double kLargestSquare = 1e200;

}  // namespace

double LearnedNoise::variance() const {
  if (small_weights_.noise_factors.value() > 0) {
    return small_weights_.squares.value() / small_weights_.noise_factors.value();
  }
  const double noise_factors = large_weights_.noise_factors.value();
  if (noise_factors > 0) {
    const double squares = large_weights_.squares.value();
    return std::clamp(1.0, (squares - from_losses_.value()) / noise_factors,
                      squares / noise_factors);
  }
  return 1;
}

void LearnedNoise::learn(const CheckedFeedback& feedback) {
  for (std::size_t k = 0; k < feedback.observations.size(); ++k) {
    const double weight = feedback.weights[k];
    if (weight <= 0 || weight >= 1) {
      continue;  // these show only the noise of an arm that is not seen, or only the loss
    }
    const bool is_small = weight < kLargestSmallWeight;
    const double centred = feedback.observations[k].value - weight / 2;
    Sums& sums = is_small ? small_weights_ : large_weights_;
    sums.squares.add(std::min(centred * centred, kLargestSquare));
    sums.noise_factors.add((1 - weight) * (1 - weight));
    if (!is_small) {
      from_losses_.add(weight * weight / 4);
    }
  }
  ++rounds_;
  if (std::has_single_bit(rounds_)) {
    standard_deviation_ = std::sqrt(variance());
  }
}

void LearnedNoise::save(StateWriter& writer) const {
  writer.add(standard_deviation_);
  writer.add(rounds_);
  for (const Sums* sums : {&small_weights_, &large_weights_}) {
    write_sum(writer, sums->squares);
    write_sum(writer, sums->noise_factors);
  }
  write_sum(writer, from_losses_);
}

void LearnedNoise::load(StateReader& reader) {
  standard_deviation_ = read_finite(reader);
  rounds_ = reader.number();
  for (Sums* sums : {&small_weights_, &large_weights_}) {
    sums->squares = read_sum(reader);
    sums->noise_factors = read_sum(reader);
    reader.require(sums->squares.value() >= 0 && sums->noise_factors.value() >= 0,
                   "has a negative noise level");
  }
  from_losses_ = read_sum(reader);
  reader.require(standard_deviation_ >= 0 && from_losses_.value() >= 0,
                 "has a negative noise level");
}

}  // namespace hearsay
