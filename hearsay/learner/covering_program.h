#pragma once

// Covering programs, which two learners solve to decide which arms to play to learn about the
// others:
//
//   minimise the sum of costs[j] * x[j], subject to x >= 0 and, for every i, to
//   the sum over j of amount(j, i) * x[j] >= demands[i].
//
// They are solved by Clp, which is optional.

#include <cstddef>
#include <span>
#include <vector>

namespace hearsay {

// Whether the library was built with a solver.
bool has_covering_solver();

// The name of the solver, for messages of builds without it.
inline constexpr const char* kCoveringSolver = "Clp (Debian's coinor-libclp-dev)";

// One unit of x[by] contributes `amount` to the demand of `of`.
struct CoveringEntry {
  std::size_t by = 0;  // j
  std::size_t of = 0;  // i
  double amount = 0;   // positive
};

// Returns a solution x. The entries must be in increasing order of `by`, then `of`. Costs and
// demands must be positive, and every i must have an entry with by == i, so that a solution exists.
// If the solver fails for numerical reasons, each i is covered by x[i] alone. Throws Error unless
// has_covering_solver().
std::vector<double> cheapest_cover(std::span<const double> costs, std::span<const double> demands,
                                   std::span<const CoveringEntry> entries);

}  // namespace hearsay
