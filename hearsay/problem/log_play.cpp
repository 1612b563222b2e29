#include "hearsay/problem/log_play.h"

#include <utility>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"

namespace hearsay {

std::string_view words_of(PlayMethod method) {
  return method == PlayMethod::rejection ? "by rejection" : "on estimated losses";
}

std::unique_ptr<Learner> make_learner_for_log(const LearnerSpec& spec) {
  std::unique_ptr<Learner> learner = make_learner(spec);
  if (learner->information() == Information::true_losses) {
    throw Error("learner",
                fmt::format("{} must be shown every true loss, expected a learner that needs "
                            "nothing but what a log has",
                            spec.name));
  }
  return learner;
}

void require_probabilities(const LoggedRound& round) {
  if (round.probabilities.empty()) {
    throw Error(
        fmt::format("decision {}: has no \"probabilities\", which playing a learner on the "
                    "log needs",
                    round.decision));
  }
}

}  // namespace hearsay
