#pragma once

// The learners of an experiment by their regret at the horizon, each compared with the best.
// Runs of different learners with the same run key meet the same losses, noise and draws, so
// learners are compared run by run; on several sequences they are compared by their means on each
// sequence, as runs on one sequence are not independent. Intervals are those of Student's t with
// probability 0.95.

#include <cstddef>
#include <functional>
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
  double difference = 0;                        // of the regret to that of the first row
  std::optional<double> difference_half_width;  // empty also if the runs are not known
};

// The regrets of the runs that a row summarizes: sequence after sequence, the same number of
// repetitions of each. Empty if they are not known.
using RegretsOf = std::function<std::vector<double>(const ResultRow&)>;

// Ranks rows of one round by increasing regret; rows of equal regret keep their order. There are no
// intervals if `sequences` is 0, which means that the numbers of runs are not known.
std::vector<RankedRow> rank_rows(std::vector<ResultRow> rows, std::size_t sequences,
                                 std::size_t repetitions, const RegretsOf& regrets);

// Ranks the rows at the horizon. `rows` must be what summarize() returned for these curves.
std::vector<RankedRow> rank_rows(const Plan& plan, const Curves& curves,
                                 std::span<const ResultRow> rows);

}  // namespace hearsay
