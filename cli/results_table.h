#pragma once

// The results at the horizon, for standard output.

#include "hearsay/work/plan.h"
#include "hearsay/work/records.h"

namespace hearsay::cli {

enum class ResultsFormat { text, json };

void print_results(const Plan& plan, const Records& records, ResultsFormat format);

}  // namespace hearsay::cli
