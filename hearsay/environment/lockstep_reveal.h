#pragma once

// What sixteen runs see at once: reveal() of noise.h for runs in lockstep, each with its own arm
// played and its own noise, on one dense graph with one vector of losses.

#include <array>
#include <cstdint>
#include <span>

#include "hearsay/environment/noise.h"
#include "hearsay/simd/lanes.h"

namespace hearsay {

// observations[arm][lane] has the bits of reveal() for the arm played[lane] and the stream of the
// lane, where the weight is positive; elsewhere it is noise.
void reveal(const Graph& graph, const std::array<Arm, kLanes>& played,
            std::span<const double> losses, const Noise& noise,
            std::span<const Stream, kLanes> streams, std::uint64_t round,
            std::span<Lanes> observations);

}  // namespace hearsay
