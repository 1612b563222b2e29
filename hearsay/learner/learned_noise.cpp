#include "hearsay/learner/learned_noise.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hearsay {
namespace {

// Observations of a larger weight depend more on the loss than on the noise, and are not used.
constexpr double kLargestWeight = 0.6;

// A larger square counts as this, so that no sum overflows.
constexpr double kLargestSquare = 1e200;

}  // namespace

void LearnedNoise::learn(const CheckedFeedback& feedback) {
  for (std::size_t k = 0; k < feedback.observations.size(); ++k) {
    const double weight = feedback.weights[k];
    if (weight > 0 && weight < kLargestWeight) {
      const double centred = feedback.observations[k].value - weight / 2;
      squares_.add(std::min(centred * centred, kLargestSquare));
      shares_.add((1 - weight) * (1 - weight));
    }
  }
  ++rounds_;
  if (std::has_single_bit(rounds_) && shares_.value() > 0) {
    standard_deviation_ = std::sqrt(squares_.value() / shares_.value());
  }
}

void LearnedNoise::save(StateWriter& writer) const {
  writer.add(standard_deviation_);
  writer.add(rounds_);
  write_sum(writer, squares_);
  write_sum(writer, shares_);
}

void LearnedNoise::load(StateReader& reader) {
  standard_deviation_ = read_finite(reader);
  rounds_ = reader.number();
  squares_ = read_sum(reader);
  shares_ = read_sum(reader);
  reader.require(standard_deviation_ >= 0 && squares_.value() >= 0 && shares_.value() >= 0,
                 "has a negative noise level");
}

}  // namespace hearsay
