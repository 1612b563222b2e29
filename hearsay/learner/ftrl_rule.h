#pragma once

// The description of a learner that follows the regularized leader, or of exponential weights with
// fixed share: its estimates, its entropy, its schedule and its theorems. Two engines can run it:
//
//   exact     one run; feedback may come late (ftrl.h)
//   lockstep  many runs at once, each with the bits of the exact one (lockstep.h)
//
// A learner with another estimator, or with a mixing distribution that depends on the graph, is
// made from FtrlParts instead and has only the exact engine.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/ftrl.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

class LockstepLearners;
enum class RangeCheck : std::uint8_t;

struct FtrlRule {
  // If null, estimates use inverse variances and are centred at 1/2 where that is safe
  // (CentredEstimator); they need a floor.
  std::shared_ptr<const Weighting> weighting = nullptr;

  std::optional<Floor> floor = std::nullopt;  // of the divisors; nullopt: implicit exploration

  // If given, estimates use only the loss of the arm played (BaselineEstimator), without weighting
  // and floor.
  std::optional<Baseline> baseline = std::nullopt;

  double order = 1;           // of the Tsallis entropy; 1 is the Shannon entropy
  Share share = nullptr;      // for exponential weights with fixed share; otherwise empty
  double uniform_mixing = 0;  // share of the uniform distribution in every draw
  Schedule schedule = {};
  RegretTheorems theorems = {};
};

// Throws Error unless the estimates are defined, the order is in (0, 1] and the uniform mixing in
// [0, 1].
void check_rule(const FtrlRule& rule);

// Throws Error as check_rule() does. The parts include LearnedNoise if the spec requests it.
FtrlParts ftrl_parts(const LearnerSpec& spec, const FtrlRule& rule);

// Whether the lockstep engine computes all that the schedule and the designated theorem read. The
// noise level must be known, because runs that learn it weight the same graph differently.
bool runs_in_lockstep(const LearnerSpec& spec, const FtrlRule& rule);

// Requires runs_in_lockstep(). Throws Error as check_rule() does. `runs` must be at least 1.
// Observations out of range are always counted, never refused.
std::unique_ptr<LockstepLearners> make_lockstep(const LearnerSpec& spec, Information information,
                                                const FtrlRule& rule, std::size_t runs,
                                                RangeCheck range_check);

}  // namespace hearsay
