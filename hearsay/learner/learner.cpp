#include "hearsay/learner/learner.h"

#include <cassert>

namespace hearsay {

Informed* informed_of(Player& player) {
  if (player.information() != Information::graph_before_draw) {
    return nullptr;
  }
  auto* informed = dynamic_cast<Informed*>(&player);
  assert(informed != nullptr);
  return informed;
}

Restrictable* restrictable_of(Learner& learner) {
  return dynamic_cast<Restrictable*>(&learner);
}

std::span<const double> probabilities_of(const Learner& learner) {
  const auto* randomized = dynamic_cast<const Randomized*>(&learner);
  return randomized != nullptr ? randomized->probabilities() : std::span<const double>();
}

std::optional<RoundDetails> last_round_of(const Learner& learner) {
  const auto* inspectable = dynamic_cast<const Inspectable*>(&learner);
  return inspectable != nullptr ? std::optional(inspectable->last_round()) : std::nullopt;
}

std::optional<Certificate> certificate_of(const Player& player) {
  const auto* certified = dynamic_cast<const Certified*>(&player);
  return certified != nullptr ? std::optional(certified->certificate()) : std::nullopt;
}

}  // namespace hearsay
