#pragma once

// The steps of a round for sixteen learners at once, an array of Lanes holding one number an arm.
// Each lane does what ExponentialWeights does, in its order, so it has its bits. `lanes`: how many
// count; what the others hold is never looked at.

#include <array>
#include <cstdint>
#include <span>

#include "hearsay/graph/graph.h"
#include "hearsay/simd/lanes.h"

namespace hearsay {

using LaneArms = std::array<Arm, kLanes>;

namespace lockstep {

// The first arm at which the running sum of the probabilities exceeds the lane's `uniform`.
LaneArms draw(std::span<const Lanes> probabilities, const Lanes& uniform, std::size_t lanes);

// out[j] = sum over i of vector[i] * matrix(i, j), of a sparse matrix.
void multiply_sparse(const Matrix& matrix, std::span<const Lanes> vector, std::span<Lanes> out,
                     std::size_t lanes);

// Coverages become 1 / (coverage + exploration), and what these arms have of Q is added to `q`.
void invert_coverage(std::span<Lanes> coverage, std::span<const Lanes> probabilities,
                     const Lanes& exploration, std::size_t lanes, Lanes& q);

// Sums of estimates: the rounded sums and what was lost in rounding (see CompensatedSum).
struct Sums {
  std::span<Lanes> rounded;
  std::span<Lanes> error;
};

// What the arms played have shown, of a dense graph: row-major tables of weights and gains.
struct Shown {
  const LaneArms& played;
  std::span<const double> weights;
  std::span<const double> gains;
  std::span<const Lanes> observations;
  std::span<const Lanes> per_coverage;
};

// Adds gain * observation * per_coverage to the sums. False where a sum has left (-largest,
// largest).
bool add_estimates(const Shown& shown, double largest, const Sums& sums, std::size_t lanes);

// How many observations of each lane are out of range at this noise bound.
Lanes count_out_of_range(const Shown& shown, double noise_bound, std::size_t lanes);

// Probabilities from sums of estimates, at each lane's rate.
void weigh(const Sums& sums, const Lanes& rate, std::span<Lanes> probabilities, std::size_t lanes);

}  // namespace lockstep
}  // namespace hearsay
