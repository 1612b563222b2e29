#pragma once

// Results as CSV (RFC 4180, lines end in LF): a header, then a row a point of a curve. Columns are
// named as in the experiment's file; a number reads back exactly; a field is empty where there is
// no such figure.

#include <span>
#include <string>

#include "hearsay/experiment/plan.h"
#include "hearsay/experiment/result.h"

namespace hearsay {

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows);

}  // namespace hearsay
