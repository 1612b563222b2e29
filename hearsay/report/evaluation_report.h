#pragma once

// The report of the evaluation of a log: every arm with its estimates and intervals by each method,
// and how the logged policy did.

#include <string>

#include "hearsay/problem/evaluate_log.h"
#include "hearsay/report/html.h"

namespace hearsay {

// `command` is the command line, which the report shows; it may be empty. If there are many arms,
// those with the best estimates are shown.
Report evaluation_report(const LogEvaluation& evaluation, const std::string& command);

// How many decimals the outcomes have wherever an evaluation is shown: by the widths of the
// intervals.
int outcome_decimals(const LogEvaluation& evaluation);

}  // namespace hearsay
