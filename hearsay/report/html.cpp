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
                                            {Figure::Mark::scatter, "scatter"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Figure::Scale, {{Figure::Scale::linear, "linear"},
                                             {Figure::Scale::log, "log"},
                                             {Figure::Scale::linear_only, "linear_only"}})
NLOHMANN_JSON_SERIALIZE_ENUM(Figure::Reference::Kind,
                             {{Figure::Reference::Kind::guide, "guide"},
                              {Figure::Reference::Kind::of_series, "of_series"},
                              {Figure::Reference::Kind::bound, "bound"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure::Axis, column, title, scale, from_zero)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure::Reference, column, title, kind)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure::Series, values, label, ours)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure, id, title, caption, table, filter, mark, x, y, error,
                                   error_title, references, series_columns, series, panel,
                                   panel_title, panels_share_y)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Claim, claim, paper, measured, verdict)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Report::Table, name, text)

namespace {

// The report as JSON inside <script type="application/json">, which ends at the first "</script"
// and changes its meaning at "<!--". Neither can occur, as '<' is escaped; all that is not ASCII is
// escaped too, so that the encoding of the page does not matter.
std::string script_json(const Report& report) {
  const nlohmann::json json = {
      {"title", report.title},
      {"subtitle", report.subtitle},
      {"command", report.command},
      {"version", report.version},
      {"seed", std::to_string(report.seed)},  // a JavaScript number holds 53 bits
      {"settings", report.settings},
      {"claims", report.claims},
      {"figures", report.figures},
      {"tables", report.tables},
  };
  constexpr int kOneLine = -1;
  constexpr bool kAsciiOnly = true;
  const std::string text = json.dump(kOneLine, ' ', kAsciiOnly);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

[[maybe_unused]] bool has_table(const Report& report, const std::string& name) {
  return std::any_of(report.tables.begin(), report.tables.end(),
                     [&](const Report::Table& table) { return table.name == name; });
}

}  // namespace

bool report_available() {
  return !page_pieces().empty();
}

std::string report_html(const Report& report) {
  if (!report_available()) {
    throw Error("report", "this hearsay was built without the page (HEARSAY_WEB=OFF)");
  }
  for ([[maybe_unused]] const Figure& figure : report.figures) {
    assert(has_table(report, figure.table));
  }
  std::string page;
  for (const std::string_view piece : page_pieces()) {
    page += piece;
  }
  const std::size_t mark = page.find(kReportMark);
  assert(mark != std::string::npos);
  try {
    page.replace(mark, kReportMark.size(), script_json(report));
  } catch (const nlohmann::json::type_error&) {
    throw Error("report", "a text of the report is not UTF-8");
  }
  return page;
}

}  // namespace hearsay
