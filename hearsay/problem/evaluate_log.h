#pragma once

// The evaluation of a log in the terms of its problem: names of arms, outcomes in the user's units.

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "hearsay/learner/spec.h"
#include "hearsay/problem/description.h"
#include "hearsay/problem/evaluate.h"
#include "hearsay/problem/log_play.h"

namespace hearsay {

// A learner that was played on the log.
struct PlayedLearner {
  LearnerSpec spec;
  PlayResult result;
};

struct LogEvaluation {
  ProblemDescription problem;
  EvaluateOptions options;
  Evaluation losses;                   // in [0, 1], as the learners see them
  std::uint64_t without_feedback = 0;  // decisions that are left out
  std::size_t ignored_bytes = 0;       // of a torn last line
  std::optional<PlayedLearner> learner = std::nullopt;

  // A mean loss, or a difference of two mean losses, in the user's units.
  double value(double loss) const { return problem.outcome.value_of(loss); }
  double difference(double losses_apart) const { return losses_apart * problem.outcome.range(); }
  // `low` is below `high` in the user's units too.
  Interval values(const Interval& of_losses) const;

  // The arms from the best to the worst by the first method (ranks_before).
  std::vector<Arm> best_first() const;

  // Reasons to doubt the estimates: one sentence each, without a full stop.
  std::vector<std::string> warnings() const;
};

// Reads a log to its end, and plays `learner` on it if one is given; its number of arms is taken
// from the log. If the options have no noise bound, that of the problem is used, if it has one, for
// the estimates and for the learner. Throws Error at the name of an option or of a parameter, or at
// "name:line" of the log.
LogEvaluation evaluate_log(std::istream& log, const std::string& name, EvaluateOptions options,
                           std::optional<LearnerSpec> learner = std::nullopt);

// As JSON with indents; docs/evaluate.md has the keys.
std::string evaluation_json(const LogEvaluation& evaluation);

}  // namespace hearsay
