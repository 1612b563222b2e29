#pragma once

// reveal() of noise.h for sixteen runs in lockstep. They share a dense graph and the losses; each
// run has its own arm played and its own noise.

#include <array>
#include <cstdint>
#include <span>

#include "hearsay/environment/noise.h"
#include "hearsay/simd/lanes.h"

namespace hearsay {

// Sets observations[arm][lane] to the same bits as reveal() for played[lane] and streams[lane], if
// the weight is positive. If it is 0, the value is noise. Sets `weights` to the weights of the
// observations.
void reveal(const Graph& graph, const std::array<Arm, kLanes>& played,
            std::span<const double> losses, const Noise& noise,
            std::span<const Stream, kLanes> streams, std::uint64_t round, std::span<Lanes> weights,
            std::span<Lanes> observations);

}  // namespace hearsay
