#pragma once

// Policies for losses that are drawn independently: learners that choose by the mean losses
// observed so far. They have no guarantee against an adversary.
//
//   Index   a function of the statistics of one arm; the arm of the smallest index is played
//   Policy  a function of the statistics of all arms and, if the learner is informed, of the graph
//           of the coming round
//
// An observation c at weight s counts as a loss of c / s, with a variance of at most v = 1/4 + R^2
// ((1 - s) / s)^2: 1/4 for a loss in [0, 1], and the rest for the noise. Means weight each
// observation by 1 / v. Observations of weight below 1e-6 are ignored.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/learner/learner_base.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// What a policy knows about an arm when it chooses.
struct ArmStatistics {
  Arm arm = 0;
  double mean = 0;          // of the observations, weighted by their inverse variances
  double precision = 0;     // the sum of the inverse variances of the observations; the variance of
                            // the mean is at most 1 / precision
  std::uint64_t round = 0;  // rounds of feedback so far + 1
  std::uint64_t decision = 0;  // the number of the coming decision, counted from 1
  const Stream& randomness;    // for uniform(decision, arm) or normal(decision, arm)
};

// The arm of the smallest index is played, the first of several. Arms that were never observed are
// played before all others, and the index is not computed. choose() throws Error if it is NaN.
using Index = std::function<double(const ArmStatistics&)>;

// What a policy knows about all arms; each has been observed.
struct PolicyInput {
  std::span<const double> means;
  std::span<const double> precisions;
  std::span<const std::uint64_t> plays;  // rounds of feedback in which the arm was played
  std::uint64_t explored = 0;            // rounds of feedback of choices that explored
  std::uint64_t round = 0;               // rounds of feedback so far + 1
  std::uint64_t decision = 0;            // the number of the coming decision, counted from 1
  const Graph* graph = nullptr;          // of the coming round; null if the learner is not informed
  const Stream& randomness;
  std::vector<double>& memory;  // for the policy's own use; saved with the learner, empty at first
};

struct PolicyChoice {
  Arm arm = 0;
  bool explores = false;  // counted in PolicyInput::explored
};

// Arms that were never observed are played first, before the policy is called.
using Policy = std::function<PolicyChoice(const PolicyInput&)>;

Policy least_index(Index index);

// The index of ucb-n: mean - sqrt(8 log(round) / precision). On exact observations, of precision 4
// each, the radius is sqrt(2 log(round) / observations).
double lower_confidence_bound(const ArmStatistics& arm);

// 1 / v for an observation at this weight; 0 if the weight is ignored.
double observation_precision(double weight, double noise_bound);

// The caller must have checked `spec`, which becomes part of the saved state.
std::unique_ptr<RestorableLearner> make_policy(const LearnerSpec& spec, Information information,
                                               Policy policy);

}  // namespace hearsay
