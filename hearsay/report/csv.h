#pragma once

// Results as CSV (RFC 4180, lines end in LF): a header, then one row for each point. Columns are
// named as in the experiment's file. A number is written so that it reads back exactly; a field is
// empty if there is no such value.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/base/csv.h"
#include "hearsay/work/plan.h"
#include "hearsay/work/ranking.h"
#include "hearsay/work/summary.h"

namespace hearsay {

std::string results_csv(const Plan& plan, std::span<const ResultRow> rows);

// The rows of all points, from the text that results_csv() gave. `name` is what messages call the
// text. Throws Error if it is not the results of this plan.
std::vector<ResultRow> parse_results_csv(std::string_view text, const std::string& name,
                                         const Plan& plan);

// The parts of results_csv(), for tables with further columns. Both end in a line break.
std::string results_csv_header();
std::string results_csv_row(const Plan& plan, const ResultRow& row);

// The rows at the horizon by rank, with the 95 % intervals of the regret and of the difference to
// the best: rank, name, learner, regret, regret_low, regret_high, difference, difference_low,
// difference_high, bound. A learner is named as in the figures of the report.
std::string ranking_csv(const Plan& plan, std::span<const RankedRow> ranking);

// The same for rows whose `cell` is an index in these lists.
std::string ranking_csv(std::span<const RankedRow> ranking, std::span<const std::string> names,
                        std::span<const std::string> learners);

// One field: a missing number is empty. For texts: base/csv.h.
std::string csv_field(const std::optional<double>& number);

}  // namespace hearsay
