#pragma once

// The same quantity of sixteen runs, one per lane. Runs in lockstep keep an array of Lanes with one
// element for each arm, and every operation applies to all lanes. The result of a run never depends
// on the other lanes or on the vector width of the machine.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hearsay {

inline constexpr std::size_t kLanes = 16;

struct alignas(kLanes * sizeof(double)) Lanes {
  std::array<double, kLanes> values{};

  double& operator[](std::size_t lane) { return values[lane]; }
  double operator[](std::size_t lane) const { return values[lane]; }
  double* data() { return values.data(); }
  const double* data() const { return values.data(); }
};

// out[i][lane] = element i of row rows[lane] of a row-major table. Two lanes are copied at a time,
// which takes less time than gather instructions on many processors.
inline void copy_rows(std::span<const double> table, const std::array<std::uint32_t, kLanes>& rows,
                      std::span<Lanes> out) {
  constexpr std::size_t kTogether = 64;  // this part of `out` stays in the cache over all lanes
  for (std::size_t begin = 0; begin < out.size(); begin += kTogether) {
    const std::size_t end = std::min(out.size(), begin + kTogether);
    for (std::size_t lane = 0; lane < kLanes; lane += 2) {
      const double* const first = table.data() + rows[lane] * out.size();
      const double* const second = table.data() + rows[lane + 1] * out.size();
      for (std::size_t i = begin; i < end; ++i) {
        out[i][lane] = first[i];
        out[i][lane + 1] = second[i];
      }
    }
  }
}

}  // namespace hearsay
