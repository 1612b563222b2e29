#pragma once

// The replay of a problem's log: a learner's rates, probabilities and estimates for the decisions
// in it, as play/replay.h computes them for logs of rounds.

#include <functional>
#include <string_view>

#include "hearsay/certificate/certificate.h"
#include "hearsay/learner/spec.h"
#include "hearsay/play/replay.h"
#include "hearsay/problem/log_reader.h"

namespace hearsay {

// Whether a text that begins like this is the log of a problem.
bool begins_as_problem_log(std::string_view beginning);

// Gives the decisions and the feedback of the log to a learner made from `spec`, and calls
// `on_round` after each round of feedback. The learner need not be that of the log, but must have
// its number of arms. Observations out of range are counted, unless the spec refuses them. Throws
// Error at the line where the log is wrong or the learner refuses it, after `on_round` was called
// for the rounds before it.
Certificate replay_log(LogReader& log, const LearnerSpec& spec,
                       const std::function<void(const ReplayedRound&)>& on_round,
                       const ReplayOptions& options = {});

}  // namespace hearsay
