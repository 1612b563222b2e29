#pragma once

// Results as CSV (RFC 4180, lines end in LF): a header, then a row a point. Columns are named as in
// the experiment's file; a number reads back exactly; a field is empty where there is no such
// figure.

#include <span>
#include <string>
#include <vector>

#include "hearsay/experiment/effective_independence.h"
#include "hearsay/experiment/plan.h"
#include "hearsay/experiment/result.h"

namespace hearsay {

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows);

// Rows of one experiment among several; `sequences`: over how many of them they are summarized.
struct ExperimentRows {
  const Plan* plan = nullptr;
  std::size_t sequences = 1;
  std::vector<ResultRow> rows;
};

// One table of several experiments, which the columns `experiment` and `sequences` tell apart.
std::string results_csv(std::span<const ExperimentRows> experiments);

// `trend`: what the paper says of the law (see claims.h).
std::string random_graphs_csv(std::span<const RandomGraphPoint> points);

// `limit`: of alpha* as the grid is refined.
std::string grid_csv(std::span<const GridPoint> points);

}  // namespace hearsay
