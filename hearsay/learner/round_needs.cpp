#include "hearsay/learner/round_needs.h"

namespace hearsay {

RegretTheorems theorems_for(Bounds bounds, const RegretTheorems& theorems) {
  return bounds == Bounds::all ? theorems : RegretTheorems{.designated = theorems.designated};
}

RoundNeeds needs_of(const Schedule& schedule, const RegretTheorems& theorems) {
  constexpr std::size_t kAnyArms = 1;
  return RegretAccount(kAnyArms, theorems_for(Bounds::designated, theorems), schedule.needs())
      .needs();
}

}  // namespace hearsay
