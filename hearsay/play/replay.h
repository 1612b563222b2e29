#pragma once

// A learner's inner figures for rounds that were logged elsewhere: what it would have believed, had
// it made those choices. The log is JSON lines; docs/replay.md has the format.

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
  std::uint64_t t = 0;  // from 1
  RoundFigures figures;
  std::optional<double> bound;      // on the regret so far, by the designated theorem
  std::vector<RegretBound> bounds;  // by all theorems
};

struct ReplayOptions {
  // Adds the bound that holds with this probability (high_probability.h); none: no such bound.
  std::optional<double> confidence = std::nullopt;
};

// Plays the log to a learner made from `spec` (its arms come from the log) and hands over every
// round as it is done. Throws Error naming `name` and the line where the log is wrong or longer
// than 256 MiB, and std::system_error if the log cannot be read to its end; the rounds before it
// have been handed over then. Returns the certificate at the end. All bounds
// are kept account of, whatever spec.bounds says.
Certificate replay(std::istream& log, const std::string& name, LearnerSpec spec,
                   const std::function<void(const ReplayedRound&)>& hand_over,
                   const ReplayOptions& options = {});

}  // namespace hearsay
