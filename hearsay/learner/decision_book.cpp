#include "hearsay/learner/decision_book.h"

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay::refuse {

void arm(Arm arm, std::size_t arms) {
  throw Error(fmt::format("arm {} does not exist, expected 0 to {}", arm, arms - 1));
}

void arm_of_decision(const Decision& decision, Arm drawn) {
  throw Error(fmt::format("decision {} is given for arm {}, expected arm {}", decision.round,
                          decision.arm, drawn));
}

void feedback_of_decision(const Decision& decision, const Feedback& feedback) {
  throw Error(fmt::format("the feedback is for arm {}, expected arm {}, the arm of decision {}",
                          feedback.played, decision.arm, decision.round));
}

void decision_never_made(const Decision& decision, std::uint64_t made) {
  throw Error(fmt::format(
      "decision {} was never made, expected one that choose() or adopt() returned ({} so far)",
      decision.round, made));
}

void decision_dropped(const Decision& decision, std::size_t max_outstanding) {
  throw Error(fmt::format(
      "decision {} was dropped: it was the oldest when more than {} decisions (max_outstanding) "
      "awaited feedback",
      decision.round, max_outstanding));
}

void decision_not_outstanding_or_dropped(const Decision& decision, std::size_t max_outstanding) {
  decision_not_outstanding(
      decision, fmt::format("dropped as the oldest when more than {} decisions (max_outstanding) "
                            "awaited feedback",
                            max_outstanding));
}

void decision_not_outstanding(const Decision& decision, std::string_view or_else) {
  throw Error(or_else.empty() ? fmt::format("decision {} is not outstanding: its feedback was "
                                            "given already, or it was forgotten",
                                            decision.round)
                              : fmt::format("decision {} is not outstanding: its feedback was "
                                            "given already, it was forgotten, or it was {}",
                                            decision.round, or_else));
}

}  // namespace hearsay::refuse
