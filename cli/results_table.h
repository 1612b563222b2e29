#pragma once

// The results at the horizon, for standard output.

#include <span>
#include <string>

#include "hearsay/work/plan.h"
#include "hearsay/work/summary.h"

namespace hearsay::cli {

enum class ResultsFormat { text, json };

// `rows` has all rows of the plan; those of other rounds are not printed. The text is sorted by
// regret, the JSON is in the order of the experiment. On a terminal, the text has the best rows, so
// that they do not scroll away, and says where in `directory` the others are.
void print_results(const Plan& plan, std::span<const ResultRow> rows, ResultsFormat format,
                   const std::string& directory);

// "results in DIR, report in DIR/report.html", for the results of a whole experiment.
std::string place_of_results(const std::string& directory);

}  // namespace hearsay::cli
