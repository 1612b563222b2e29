#pragma once

// What the two ways to play a learner on a log share: by rejection (rejection.h) and on estimated
// losses (estimates_play.h). Both are approximations (docs/evaluate.md).

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"
#include "hearsay/problem/empirical_bernstein.h"
#include "hearsay/problem/logged_rounds.h"

namespace hearsay {

enum class PlayMethod : std::uint8_t { rejection, estimates };
inline constexpr std::array<std::string_view, 2> kPlayMethods = {"rejection", "estimates"};

// "by rejection" or "on estimated losses".
std::string_view words_of(PlayMethod method);

struct PlayResult {
  std::uint64_t rounds = 0;    // of the log
  std::uint64_t accepted = 0;  // those of them that the learner played
  // Rounds in which the learner may play an arm that the log could not play (by rejection) or
  // observe (on estimated losses).
  std::uint64_t impossible = 0;
  double loss = 0;         // the learner's mean over the accepted rounds
  Interval interval = {};  // for it; approximate
};

// Throws Error if there is no such learner, its parameters are wrong, or it must be shown every
// true loss.
std::unique_ptr<Learner> make_learner_for_log(const LearnerSpec& spec);

// Throws Error if the round does not have the probabilities of all arms.
void require_probabilities(const LoggedRound& round);

}  // namespace hearsay
