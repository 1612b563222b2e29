#include "hearsay/problem/rejection.h"

#include <algorithm>
#include <limits>
#include <span>

namespace hearsay {

RejectionPlay::RejectionPlay(const LearnerSpec& spec, std::uint64_t seed)
    : learner_(make_learner_for_log(spec)),
      draws_(seed, Purpose::draw),
      acceptance_(seed, Purpose::acceptance) {}

void RejectionPlay::add(const LoggedRound& round) {
  require_probabilities(round);
  Informed* const informed = informed_of(*learner_);
  if (informed != nullptr) {
    informed->see_graph(round.graph);
  }
  // The round is accepted with probability share * own / logged, where own is the probability with
  // which the learner plays the logged arm, logged the one in the log, and share the least of
  // logged / own over all arms. So the arms of accepted rounds are distributed as its own draws.
  double own = 0;
  double share = std::numeric_limits<double>::infinity();
  const std::span<const double> own_probabilities = probabilities_of(*learner_);
  if (own_probabilities.empty()) {
    // Its probabilities are not known. It draws, and the share must not depend on what it drew.
    const Decision decision = learner_->choose(draws_);
    own = decision.arm == round.arm ? 1 : 0;
    share = *std::ranges::min_element(round.probabilities);
    learner_->forget(decision);
  } else {
    own = own_probabilities[round.arm];
    for (std::size_t i = 0; i < own_probabilities.size(); ++i) {
      if (own_probabilities[i] > 0) {
        share = std::min(share, round.probabilities[i] / own_probabilities[i]);
      }
    }
  }
  const double chance = share * own / round.probabilities[round.arm];
  if (acceptance_.uniform(rounds_) < chance) {
    if (informed != nullptr && own_probabilities.empty()) {
      informed->see_graph(round.graph);  // the draw above has used it up
    }
    learner_->observe(learner_->adopt(round.arm), round.graph, {round.arm, round.observations});
    losses_.add(round.loss);
    ++accepted_;
  }
  impossible_ += share > 0 ? 0 : 1;
  ++rounds_;
}

PlayResult RejectionPlay::result(double confidence) const {
  PlayResult out{.rounds = rounds_, .accepted = accepted_, .impossible = impossible_};
  if (accepted_ > 0) {
    out.loss = losses_.value() / static_cast<double>(accepted_);
    out.interval = hoeffding_interval(out.loss, accepted_, (1 - confidence) / 2);
  }
  return out;
}

}  // namespace hearsay
