#pragma once

// The results at the horizon, for standard output.

#include "hearsay/experiment/plan.h"
#include "hearsay/experiment/records.h"

namespace hearsay::cli {

enum class ResultsFormat { text, json };

void print_results(const Plan& plan, const Records& records, ResultsFormat format);

}  // namespace hearsay::cli
