#pragma once

// Index policies: learners that keep a mean of each arm's loss and play the arm of the smallest
// index, a function of what is known of the arm. They are for losses that are drawn independently;
// against an adversary they guarantee nothing.
//
// An observation c at weight s is worth c / s, with a variance of at most
// v = 1/4 + R^2 ((1 - s) / s)^2: that of a loss in [0, 1] and that of the noise. Means weigh each
// observation by 1 / v. Weights below 1e-6 are ignored.

#include <cstdint>
#include <functional>
#include <memory>

#include "hearsay/base/state.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// What a policy knows of an arm when it chooses.
struct ArmStatistics {
  Arm arm = 0;
  double mean = 0;          // of the observations, weighed by their inverse variance
  double precision = 0;     // the sum of those inverse variances; 1 / precision is that of the mean
  std::uint64_t round = 0;  // rounds of feedback so far + 1
  const Stream& randomness;  // stream.uniform(round, arm) or stream.normal(round, arm), if needed
};

// The arm of the smallest index is played, of several the first. Arms that were never observed are
// played before all others, without asking for their index.
using Index = std::function<double(const ArmStatistics&)>;

// `spec`, which the caller has checked, goes into the saved state.
std::unique_ptr<Learner> make_index_policy(const LearnerSpec& spec, Index index);

// From what save() wrote after the spec. Throws Error if the state is damaged.
std::unique_ptr<Learner> restore_index_policy(const LearnerSpec& spec, Index index,
                                              StateReader& reader);

}  // namespace hearsay
