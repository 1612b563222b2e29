#pragma once

// The steps of a round for sixteen runs at once; an array of Lanes holds one number for each arm
// and run. Each lane does what the exact engine does, in the same order, so that it has the same
// bits. `lanes`: how many are in use; what the others hold does not matter.

#include <cstddef>
#include <span>

#include "hearsay/graph/graph.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/simd/lanes.h"

namespace hearsay::lockstep {

// The first arm at which the running sum of the probabilities exceeds the lane's `uniform`.
LaneArms draw(std::span<const Lanes> probabilities, const Lanes& uniform, std::size_t lanes);

// out[j] = sum over i of vector[i] * matrix(i, j), of a sparse matrix.
void multiply_sparse(const Matrix& matrix, std::span<const Lanes> vector, std::span<Lanes> out,
                     std::size_t lanes);

// Replaces coverages by 1 / (coverage + exploration) and adds what these arms contribute to Q.
void invert_coverage(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
                     const Lanes& exploration, std::size_t lanes, Lanes& q);

// Sums of estimates: the rounded sums and the rounding errors (see CompensatedSum).
struct Sums {
  std::span<Lanes> rounded;
  std::span<Lanes> error;
};

// What the arms played showed on a dense graph, with row-major tables of weights and gains.
struct Shown {
  const LaneArms& played;
  std::span<const double> weights;
  std::span<const double> gains;
  std::span<const Lanes> observations;
  std::span<const Lanes> per_coverage;
};

// Adds gain * observation * per_coverage to the sums. False if a sum has left (-largest, largest).
bool add_estimates(const Shown& shown, double largest, const Sums& sums, std::size_t lanes);

// How many observations of each lane are out of range at this noise bound.
Lanes count_out_of_range(const Shown& shown, double noise_bound, std::size_t lanes);

// Probabilities from sums of estimates, at each lane's rate.
void weigh(const Sums& sums, const Lanes& rate, std::span<Lanes> probabilities, std::size_t lanes);

}  // namespace hearsay::lockstep
