#pragma once

// Results as CSV (RFC 4180, lines end in LF): a header, then one row for each point. Columns are
// named as in the experiment's file. A number is written so that it reads back exactly; a field is
// empty if there is no such figure.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "hearsay/work/plan.h"
#include "hearsay/work/result.h"

namespace hearsay {

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows);

// Its parts, for tables with further columns. Both end in a line break.
std::string results_csv_header();
std::string results_csv_row(const Plan& plan, const ResultRow& row);

// One field: text is put in quotes where CSV requires it, a missing number is empty.
std::string csv_field(std::string_view text);
std::string csv_field(const std::optional<double>& number);

}  // namespace hearsay
