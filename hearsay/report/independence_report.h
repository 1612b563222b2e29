#pragma once

// The report of what `hearsay alpha` found: the bounds, what every threshold costs, and the graph
// with the independent arms marked.

#include <functional>
#include <span>
#include <string>

#include "hearsay/certificate/claims_file.h"
#include "hearsay/graph/graph.h"
#include "hearsay/report/html.h"

namespace hearsay {

// `claims` has either alpha*, or alpha at one threshold each, and is not empty. `command` is the
// command line, which the report shows. For up to 2000 arms alpha is also searched for at further
// thresholds, with a limited effort that is the same on every machine, until `stop` returns true.
Report independence_report(const Graph& graph, std::span<const IndependenceClaims> claims,
                           const std::string& command, const std::function<bool()>& stop = {});

}  // namespace hearsay
