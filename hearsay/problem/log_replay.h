#pragma once

// The replay of a problem's log: a learner's inner figures for the decisions in it, as
// play/replay.h has them for logs of rounds.

#include <functional>
#include <string_view>

#include "hearsay/certificate/certificate.h"
#include "hearsay/learner/spec.h"
#include "hearsay/play/replay.h"
#include "hearsay/problem/log.h"

namespace hearsay {

// Whether a text that begins like this is the log of a problem.
bool begins_as_problem_log(std::string_view beginning);

// Plays the log to a learner made from `spec`, which need not be that of the log (its number of
// arms must be), and hands over every round of feedback as it is done. Observations out of range
// are counted, unless the spec refuses them. Throws Error at the line where the log is wrong, or
// the learner refuses it; the rounds before it have been handed over then.
Certificate replay_log(LogReader& log, const LearnerSpec& spec,
                       const std::function<void(const ReplayedRound&)>& hand_over,
                       const ReplayOptions& options = {});

}  // namespace hearsay
