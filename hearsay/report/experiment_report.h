#pragma once

// The report of any experiment: regret over time beside its certificate, and if a parameter has
// several values, the final regret against it.

#include <string>

#include "hearsay/report/html.h"
#include "hearsay/work/plan.h"

namespace hearsay {

// `results` and `summary`: the text of results.csv and summary.csv.
Report experiment_report(const Plan& plan, const std::string& results, const std::string& summary);

}  // namespace hearsay
