#pragma once

// A learner's rates, probabilities and estimates for rounds that were logged elsewhere, as if the
// learner had made the logged choices. The log is JSON lines; docs/replay.md has the format.

#include <cstdint>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

struct ReplayedRound {
  std::uint64_t round = 0;  // counted from 1
  RoundDetails details;
  std::optional<double> bound;      // on the regret so far, by the designated theorem
  std::vector<RegretBound> bounds;  // by all theorems
};

struct ReplayOptions {
  // If set, the bound that holds with this probability is added (high_probability.h).
  std::optional<double> confidence = std::nullopt;
};

// Gives the rounds of the log to a learner made from `spec` (its number of arms is taken from the
// log), calls `on_round` after each, and returns the certificate at the end. All bounds are
// computed, whatever spec.bounds says. Throws Error with `name` and the number of the line that is
// wrong or longer than 256 MiB, and std::system_error if the log cannot be read to its end, after
// `on_round` was called for the rounds before it.
Certificate replay(std::istream& log, const std::string& name, LearnerSpec spec,
                   const std::function<void(const ReplayedRound&)>& on_round,
                   const ReplayOptions& options = {});

}  // namespace hearsay
