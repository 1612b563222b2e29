#pragma once

// The same quantity of sixteen runs, one per lane. Runs in lockstep keep an array of Lanes with one
// element for each arm, and every operation applies to all lanes. The result of a run never depends
// on the other lanes or on the vector width of the machine.

#include <array>
#include <cstddef>

namespace hearsay {

inline constexpr std::size_t kLanes = 16;

struct alignas(kLanes * sizeof(double)) Lanes {
  std::array<double, kLanes> values{};

  double& operator[](std::size_t lane) { return values[lane]; }
  double operator[](std::size_t lane) const { return values[lane]; }
  double* data() { return values.data(); }
  const double* data() const { return values.data(); }
};

}  // namespace hearsay
