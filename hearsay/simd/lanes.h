#pragma once

// Numbers of sixteen runs side by side. Runs in lockstep keep theirs in arrays of these, one an
// arm, and every step does the same to all sixteen: what one run gets never depends on the others,
// nor on how many of them the machine's vectors hold.

#include <array>
#include <cstddef>

namespace hearsay {

inline constexpr std::size_t kLanes = 16;

struct alignas(kLanes * sizeof(double)) Lanes {
  std::array<double, kLanes> of{};

  double& operator[](std::size_t lane) { return of[lane]; }
  double operator[](std::size_t lane) const { return of[lane]; }
  double* data() { return of.data(); }
  const double* data() const { return of.data(); }
};

}  // namespace hearsay
