#pragma once

// A learner that follows the regularized leader, or shares weights, as a value: how it estimates,
// its entropy, its schedule and its theorems. One description serves two engines:
//
//   exact     one run; feedback may come late (ftrl.h)
//   lockstep  many runs at once, each with the bits of the exact one (lockstep.h)
//
// A learner with an estimator of its own, or with an exploration that goes by the graph, is made
// from FtrlParts instead and is exact only.

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
enum class Observations : std::uint8_t;

struct FtrlRule {
  // None: estimates with inverse variances, centred at 1/2 where that is safe (CentredEstimator).
  // They need a floor.
  std::shared_ptr<const Weighting> weighting = nullptr;

  std::optional<Floor> floor = std::nullopt;  // of the divisors; none: implicit exploration

  // In place of the two: estimates from the own loss alone (BaselineEstimator).
  std::optional<Baseline> baseline = std::nullopt;

  double order = 1;                // of the Tsallis entropy; 1: the Shannon entropy
  Share share = nullptr;           // of exponential weights with fixed share; none: not shared
  double uniform_exploration = 0;  // share of the uniform distribution in every draw
  Schedule schedule = {};
  RegretTheorems theorems = {};
};

// With the noise level learned if the spec says so.
FtrlParts ftrl_parts(const LearnerSpec& spec, const FtrlRule& rule);

// `runs` at least 1. Observations out of range are counted whatever the spec says. The noise level
// must be known: runs that learn it weigh the same graph in different ways.
std::unique_ptr<LockstepLearners> make_lockstep(const LearnerSpec& spec, Information information,
                                                const FtrlRule& rule, std::size_t runs,
                                                Observations observations);

}  // namespace hearsay
