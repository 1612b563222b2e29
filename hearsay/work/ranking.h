#pragma once

// The learners of an experiment by their regret at the horizon, each compared with the best.
// Runs of different learners with the same run key meet the same losses, noise and draws, so
// learners are compared run by run; on several sequences they are compared by their means on each
// sequence, as runs on one sequence are not independent. Intervals are those of Student's t with
// probability 0.95.

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/summary.h"

namespace hearsay {

struct RankedRow {
  ResultRow row;         // at the horizon
  std::size_t rank = 1;  // 1 has the least regret; rows of equal regret have the same rank

  // Half the width of the intervals; empty if there is a single pair.
  std::optional<double> regret_half_width;
  double difference = 0;  // of the regret to that of the first row
  std::optional<double> difference_half_width;
};

// By increasing regret; rows of equal regret are in the order of the plan. `rows` must be what
// summarize() returned for these curves.
std::vector<RankedRow> rank_rows(const Plan& plan, const Curves& curves,
                                 std::span<const ResultRow> rows);

}  // namespace hearsay
