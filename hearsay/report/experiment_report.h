#pragma once

// The report of any experiment: the ranking of its learners, regret over time beside its
// certificate, and if a parameter has several values, the final regret against it.

#include <span>
#include <string>

#include "hearsay/report/html.h"
#include "hearsay/work/curves.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/summary.h"

namespace hearsay {

// The texts of the files of results.
struct ResultTables {
  std::string results;  // results.csv
  std::string summary;  // summary.csv
  std::string ranking;  // ranking.csv
};

// `rows` must be what summarize() returned for these curves.
ResultTables result_tables(const Plan& plan, const Curves& curves, std::span<const ResultRow> rows);

Report experiment_report(const Plan& plan, const ResultTables& tables);

}  // namespace hearsay
