#pragma once

// The report of the evaluation of a log: every arm with its estimates and intervals by each method,
// and how the logged policy did.

#include <string>

#include "hearsay/problem/evaluate_log.h"
#include "hearsay/report/html.h"

namespace hearsay {

// `command` is the one that was called; it may be empty. Of many arms those with the best estimates
// are shown.
Report evaluation_report(const LogEvaluation& evaluation, const std::string& command);

}  // namespace hearsay
