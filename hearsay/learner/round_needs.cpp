#include "hearsay/learner/round_needs.h"

namespace hearsay {

RegretTheorems theorems_for(Bounds bounds, const RegretTheorems& theorems) {
  return bounds == Bounds::all ? theorems : RegretTheorems{.designated = theorems.designated};
}

RoundNeeds needs_of(const Schedule& schedule, const RegretAccount& account) {
  const bool has_growth = static_cast<bool>(schedule.growth);
  return {.entropy = account.needs_entropy() || has_growth,
          .gap = account.needs_gap() || schedule.uses_gaps,
          .growth = has_growth,
          .least_sum = account.needs_least_sum(),
          .delays = schedule.uses_delays};
}

RoundNeeds needs_of(const Schedule& schedule, const RegretTheorems& theorems) {
  constexpr std::size_t kAnyArms = 1;
  return needs_of(schedule, RegretAccount(kAnyArms, theorems_for(Bounds::designated, theorems)));
}

}  // namespace hearsay
