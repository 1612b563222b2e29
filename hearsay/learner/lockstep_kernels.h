#pragma once

// The steps of a round for sixteen runs at once; an array of Lanes holds one number for each arm
// and run. Each lane does what the exact engine does, in the same order, so that it has the same
// bits. `lanes` is the number of lanes in use; the values of the others do not matter.

#include <cstddef>
#include <span>

#include "hearsay/graph/graph.h"
#include "hearsay/learner/estimator.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/simd/lanes.h"

namespace hearsay::lockstep {

// The first arm at which the running sum of the probabilities exceeds the lane's `uniform`.
LaneArms draw(std::span<const Lanes> probabilities, const Lanes& uniform, std::size_t lanes);

// out[j] = sum over i of vector[i] * matrix(i, j), for a sparse matrix.
void multiply_sparse(const Matrix& matrix, std::span<const Lanes> vector, std::span<Lanes> out,
                     std::size_t lanes);

// The EstimateTerms of each lane.
struct Terms {
  Lanes q;
  Lanes bias;
  Lanes second_moment;
};

// The next three kernels add the contributions of the arms in their arguments to the terms.

// For WeightedEstimator: replaces coverages by 1 / (coverage + exploration). The caller computes
// the bias, which is exploration * Q.
void invert_coverage(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
                     const Lanes& exploration, std::size_t lanes, Terms& terms);

// For ClippedEstimator: replaces coverages by 1 / max(coverage, floor).
void clip_coverage(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
                   const Floor& floor, const Lanes& rate, std::size_t lanes, Terms& terms);

// For CentredEstimator.
struct Centring {
  std::span<const Lanes> centred;  // coverages
  std::span<const Lanes> plain;    // coverages; empty if not computed
  std::span<Lanes> centre;         // out: 1/2 or 0
  std::span<Lanes> per_divisor;    // out
};
// Returns false and leaves the terms unchanged if some arm is not safe and `plain` is empty.
bool centre_coverage(const Centring& centring, std::span<const Lanes> probabilities,
                     const Floor& floor, const Lanes& rate, std::size_t lanes, Terms& terms);

// The observations of a round on a dense graph, with their weights and gains.
struct Weighted {
  std::span<const Lanes> observations;
  std::span<const Lanes> weights;
  std::span<const Lanes> gains = {};          // empty if all estimates are centred
  std::span<const Lanes> centred_gains = {};  // empty if nothing is centred
};

// estimate = centre + gain * (observation - centre * weight) * per_divisor; `centre` is empty if
// nothing is centred.
void estimate(const Weighted& seen, std::span<const Lanes> centre,
              std::span<const Lanes> per_divisor, std::span<Lanes> estimates, std::size_t lanes);

// The number of observations of each lane that are out of range at this noise bound. Arms of weight
// 0 are not seen.
Lanes count_out_of_range(std::span<const Lanes> weights, std::span<const Lanes> observations,
                         double noise_bound, std::size_t lanes);

// The mixability gap of each lane's estimates.
Lanes gaps(std::span<const Lanes> probabilities, std::span<const Lanes> estimates,
           const Lanes& rate, std::size_t lanes);

// For FixedShare: replaces probabilities by probability * exp(-rate * estimate), scaled to sum to
// 1, and returns the sums before scaling.
Lanes reweigh(std::span<Lanes> probabilities, std::span<const Lanes> estimates, const Lanes& rate,
              std::size_t lanes);

// probability = kept * probability + added
void blend(std::span<Lanes> probabilities, const Lanes& kept, const Lanes& added,
           std::size_t lanes);

// Sums of estimates: the rounded sums and the rounding errors (see CompensatedSum).
struct Sums {
  std::span<Lanes> rounded;
  std::span<Lanes> error;
};

// Whether all estimates are in (-largest, largest).
bool are_within(std::span<const Lanes> estimates, double largest, std::size_t lanes);

// Returns false if a sum is no longer in (-largest, largest).
bool add(std::span<const Lanes> estimates, double largest, const Sums& sums, std::size_t lanes);

// Computes probabilities from sums of estimates, at each lane's rate, for the entropy of this order
// (1 for Shannon). Unless `entropy` is null, sets it to the entropy of the probabilities.
void set_probabilities(const Sums& sums, const Lanes& rate, double order,
                       std::span<Lanes> probabilities, Lanes* entropy, std::size_t lanes);

}  // namespace hearsay::lockstep
