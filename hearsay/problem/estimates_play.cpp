#include "hearsay/problem/estimates_play.h"

#include <algorithm>
#include <cmath>

#include "hearsay/base/distributions.h"

namespace hearsay {

EstimatesPlay::EstimatesPlay(const LearnerSpec& spec, std::uint64_t seed)
    : learner_(make_learner_for_log(spec)),
      draws_(seed, Purpose::draw),
      noise_(seed, Purpose::noise),
      sums_(learner_->arms()) {}

// The mean of an arm so far is known before the round, and E[value - weight * mean] is the loss
// minus the mean. So the correction leaves the estimate unbiased, and small for an arm whose loss
// is near its mean.
void EstimatesPlay::estimate_losses(const RoundEstimates& estimates) {
  losses_.clear();
  for (const ArmSums& sums : sums_) {
    constexpr double kUnknown = 0.5;
    const double weights = sums.weights.value();
    losses_.push_back(weights > 0 ? std::clamp(sums.values.value() / weights, 0.0, 1.0) : kUnknown);
  }
  for (const auto& [arm, value, weight] : estimates.terms) {
    losses_[arm] += value - weight * losses_[arm];
    sums_[arm].values.add(value);
    sums_[arm].weights.add(weight);
  }
}

void EstimatesPlay::add(const LoggedRound& round, const RoundEstimates& estimates,
                        const Noise& noise) {
  require_probabilities(round);
  if (Informed* const informed = informed_of(*learner_)) {
    informed->see_graph(round.graph);
  }
  const std::span<const double> known = probabilities_of(*learner_);
  probabilities_.assign(known.begin(), known.end());
  const Decision decision = learner_->choose(draws_);
  if (probabilities_.empty()) {  // they are not known: its draw stands for them
    probabilities_.resize(sums_.size());
    probabilities_[decision.arm] = 1;
  }
  estimate_losses(estimates);
  double expected = 0;
  bool is_possible = true;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    expected += probabilities_[i] * losses_[i];
    is_possible = is_possible && (probabilities_[i] == 0 || estimates.coverage[i] > 0);
    losses_[i] = std::clamp(losses_[i], 0.0, 1.0);
  }
  reveal(round.graph, decision.arm, losses_, noise, noise_, rounds_, observations_);
  learner_->observe(decision, round.graph, {decision.arm, observations_});
  values_.add(expected);
  squares_.add(expected * expected);
  impossible_ += is_possible ? 0 : 1;
  ++rounds_;
}

PlayResult EstimatesPlay::result(double confidence) const {
  PlayResult out{.rounds = rounds_, .accepted = rounds_, .impossible = impossible_};
  if (rounds_ == 0) {
    return out;
  }
  const auto rounds = static_cast<double>(rounds_);
  out.loss = values_.value() / rounds;
  if (rounds_ > 1) {
    const double squares = std::max(0.0, squares_.value() - rounds * out.loss * out.loss);
    const double half = student_quantile((1 + confidence) / 2, rounds - 1) *
                        std::sqrt(squares / (rounds * (rounds - 1)));
    out.interval = {std::clamp(out.loss - half, 0.0, 1.0), std::clamp(out.loss + half, 0.0, 1.0)};
  }
  return out;
}

}  // namespace hearsay
