#include "hearsay/report/html.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "hearsay/base/error.h"
#include "hearsay/report/page.h"

namespace hearsay {

// The names the page reads (web/src/report.ts).
NLOHMANN_JSON_SERIALIZE_ENUM(Figure::Mark, {{Figure::Mark::curve, "curve"},
                                            {Figure::Mark::points, "points"},
                                            {Figure::Mark::steps, "steps"},
                                            {Figure::Mark::scatter, "scatter"},
                                            {Figure::Mark::bars, "bars"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Figure::Scale, {{Figure::Scale::linear, "linear"},
                                             {Figure::Scale::log, "log"},
                                             {Figure::Scale::linear_only, "linear_only"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Figure::Reference::Kind,
                             {{Figure::Reference::Kind::guide, "guide"},
                              {Figure::Reference::Kind::of_series, "of_series"},
                              {Figure::Reference::Kind::bound, "bound"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Report::Verdict,
                             {{Report::Verdict::holds, verdict_text(Report::Verdict::holds)},
                              {Report::Verdict::in_part, verdict_text(Report::Verdict::in_part)},
                              {Report::Verdict::does_not_hold,
                               verdict_text(Report::Verdict::does_not_hold)}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure::Axis, column, title, scale, from_zero, labels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure::Reference, column, title, kind, shown, note)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure::Band, name, column, factor, title, low, high)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure::Series, values, label, ours, learner)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure, id, title, caption, table, filter, mark, x, y, bands,
                                   references, series_columns, series, panel, panel_title)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HeatMap::Column, name, summary)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(HeatMap, id, title, caption, table, row, row_title, column,
                                   value, error, colour, notes, columns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GraphPicture, caption, arms, side, weights, threshold, witness)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Claim, claim, paper, measured, verdict, figure)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Fact, name, value)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Ranking, table, caption, oracles)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Listing::Column, column, title, decimals, percent)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Listing, table, title, caption, columns)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Table, name, text)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report, title, subtitle, input, command, version, seed, settings,
                                   facts, claims, highlight, ranking, listings, figures, heat_maps,
                                   graphs, tables)

namespace {

[[maybe_unused]] bool has_table(const Report& report, const std::string& name) {
  return std::any_of(report.tables.begin(), report.tables.end(),
                     [&](const Report::Table& table) { return table.name == name; });
}

}  // namespace

std::string_view verdict_text(Report::Verdict verdict) {
  switch (verdict) {
    case Report::Verdict::holds:
      return "holds";
    case Report::Verdict::in_part:
      return "holds in part";
    case Report::Verdict::does_not_hold:
      break;
  }
  return "does not hold";
}

bool report_available() {
  return !page_pieces().empty();
}

Report parse_report(std::string_view json) {
  try {
    return nlohmann::json::parse(json).get<Report>();
  } catch (const nlohmann::json::exception& error) {
    throw Error("report", error.what());
  }
}

// The page has it inside <script type="application/json">, which ends at the first "</script" and
// changes its meaning at "<!--". Neither can occur, as '<' is escaped; all that is not ASCII is
// escaped too, so that the encoding of the page does not matter.
std::string report_json(const Report& report) {
  const nlohmann::json json = report;
  constexpr int kOneLine = -1;
  constexpr bool kAsciiOnly = true;
  // A path or a name of an arm may have bytes that are not UTF-8: each is shown as U+FFFD.
  const std::string text =
      json.dump(kOneLine, ' ', kAsciiOnly, nlohmann::json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  std::string_view rest = text;  // may have hundreds of megabytes
  for (std::size_t end = rest.find('<'); end != std::string_view::npos; end = rest.find('<')) {
    safe += rest.substr(0, end);
    safe += "\\u003c";
    rest.remove_prefix(end + 1);
  }
  safe += rest;
  return safe;
}

std::string report_html(const Report& report) {
  if (!report_available()) {
    throw Error("report", kNoPage);
  }
  for ([[maybe_unused]] const Figure& figure : report.figures) {
    assert(has_table(report, figure.table));
  }
  for ([[maybe_unused]] const HeatMap& map : report.heat_maps) {
    assert(has_table(report, map.table));
  }
  for ([[maybe_unused]] const Report::Listing& listing : report.listings) {
    assert(has_table(report, listing.table));
  }
  std::string page;
  for (const std::string_view piece : page_pieces()) {
    page += piece;
  }
  const std::size_t mark = page.find(kReportMark);
  assert(mark != std::string::npos);
  page.replace(mark, kReportMark.size(), report_json(report));
  return page;
}

}  // namespace hearsay
