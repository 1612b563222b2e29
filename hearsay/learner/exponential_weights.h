#pragma once

// Exponential weights over weighted estimates with implicit exploration (Algorithm 1 of the paper):
// the learners of follow-the-regularized-leader with the Shannon entropy and a WeightedEstimator.
// There are three executions of the same parts:
//
//   exact     one run, every probability in every round; feedback may come late (ftrl.h)
//   lockstep  many runs at once, each with the bits of the exact one (lockstep.h)
//   lazy      one run of very many arms on a sparse graph, in rounds that cost what is seen
//             (lazy_weights.h)

#include <cstddef>
#include <cstdint>
#include <memory>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/ftrl.h"
#include "hearsay/learner/schedule.h"
#include "hearsay/learner/spec.h"
#include "hearsay/learner/weighting.h"

namespace hearsay {

class LockstepLearners;
enum class Observations : std::uint8_t;

struct ExponentialWeights {
  std::shared_ptr<const Weighting> weighting;
  Schedule schedule;
  RegretTheorems theorems = {};
};

FtrlParts ftrl_parts(std::size_t arms, const ExponentialWeights& parts);

// `runs` at least 1. Observations out of range are counted whatever the spec says.
std::unique_ptr<LockstepLearners> make_lockstep(const LearnerSpec& spec, Information information,
                                                const ExponentialWeights& parts, std::size_t runs,
                                                Observations observations);

// Late feedback is refused.
std::unique_ptr<Learner> make_lazy(const LearnerSpec& spec, Information information,
                                   const ExponentialWeights& parts);
std::unique_ptr<Learner> restore_lazy(const LearnerSpec& spec, Information information,
                                      const ExponentialWeights& parts, StateReader& reader);

}  // namespace hearsay
