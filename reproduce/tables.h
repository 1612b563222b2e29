#pragma once

// The tables of a reproduction as CSV, in the form of report/csv.h.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "hearsay/work/plan.h"
#include "hearsay/work/summary.h"
#include "reproduce/graph_studies.h"

namespace hearsay::reproduce {

// The rows of one experiment among several, summarized over its first `sequences`.
struct ExperimentRows {
  const Plan* plan = nullptr;
  std::size_t sequences = 1;
  std::vector<ResultRow> rows;
};

// One table of several experiments, distinguished by the columns `experiment` and `sequences`.
std::string results_csv(std::span<const ExperimentRows> experiments);

// The column `trend` is what the paper says of the law (see claims.h).
std::string random_graphs_csv(std::span<const RandomGraphPoint> points);

// The column `limit` is that of alpha* as the grid is refined.
std::string grid_csv(std::span<const GridPoint> points);

}  // namespace hearsay::reproduce
