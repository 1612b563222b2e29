#include "hearsay/report/html.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/error.h"

namespace hearsay {
namespace {

// Text that could end a script, start a comment or end a line in one, or that is hard to quote.
constexpr std::string_view kSpecialText =
    "</script><script>alert(1)</script><!-- </SCRIPT \u2028\u2029 \"q\" 'q' \\ & @REPORT@ "
    "\t\r\n\x01"
    "\xf0\x9f\xa6\x89";

Report report_with_special_text() {
  const std::string text(kSpecialText);
  Report report;
  report.title = report.subtitle = report.command = report.version = report.settings = text;
  report.seed = "18446744073709551615";
  using Verdict = Report::Verdict;
  for (const Verdict verdict : {Verdict::holds, Verdict::in_part, Verdict::does_not_hold}) {
    report.claims.push_back({.claim = text, .paper = text, .measured = text, .verdict = verdict});
  }
  report.tables = {{.name = "results.csv", .text = "x,y\r\n1,\"" + text + "\"\r\n"}};
  Figure figure;
  figure.id = "one";
  figure.title = text;
  figure.table = "results.csv";
  figure.filter = {{text, {"", text}}};
  figure.mark = Figure::Mark::scatter;
  figure.x = {.column = "x", .title = text, .scale = Figure::Scale::log};
  figure.y = {.column = "y", .title = text, .from_zero = true};
  figure.references = {{.column = "y", .title = text, .kind = Figure::Reference::Kind::bound}};
  figure.series_columns = {"x", text};
  figure.series = {{.values = {"1", text}, .label = text, .ours = true}};
  report.figures = {figure};
  return report;
}

// The report in the page, as a browser reads it: the text of its script up to the first "</script".
std::string embedded(const std::string& page) {
  const std::string_view open = R"(<script id="report" type="application/json">)";
  const std::size_t start = page.find(open) + open.size();
  return page.substr(start, page.find("</script", start) - start);
}

class ReportHtml : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!report_available()) {
      GTEST_SKIP() << "this build does not contain the page of the report";
    }
  }
};

TEST_F(ReportHtml, EmbeddedTextReadsBackUnchanged) {
  const Report report = report_with_special_text();
  const nlohmann::json json = nlohmann::json::parse(embedded(report_html(report)));
  for (const char* key : {"title", "subtitle", "command", "version", "settings"}) {
    EXPECT_EQ(json.at(key), kSpecialText) << key;
  }
  EXPECT_EQ(json.at("seed"), "18446744073709551615");
  EXPECT_EQ(json.at("tables").at(0).at("text"), report.tables[0].text);
  EXPECT_EQ(json.at("claims").at(0).at("measured"), kSpecialText);
  EXPECT_EQ(json.at("claims").at(0).at("verdict"), "holds");
  EXPECT_EQ(json.at("claims").at(1).at("verdict"), "holds in part");
  EXPECT_EQ(json.at("claims").at(2).at("verdict"), "does not hold");
  const nlohmann::json& figure = json.at("figures").at(0);
  EXPECT_EQ(figure.at("mark"), "scatter");
  EXPECT_EQ(figure.at("x").at("scale"), "log");
  EXPECT_EQ(figure.at("y").at("from_zero"), true);
  EXPECT_EQ(figure.at("references").at(0).at("kind"), "bound");
  EXPECT_EQ(figure.at("filter").at(std::string(kSpecialText)).at(1), kSpecialText);
  EXPECT_EQ(figure.at("series_columns").at(1), kSpecialText);
  EXPECT_EQ(figure.at("series").at(0).at("values").at(1), kSpecialText);
  EXPECT_EQ(figure.at("series").at(0).at("label"), kSpecialText);
  EXPECT_EQ(figure.at("series").at(0).at("ours"), true);
}

TEST_F(ReportHtml, IsTheSamePageFromTheReportThatItEmbeds) {
  const std::string page = report_html(report_with_special_text());
  EXPECT_EQ(report_html(parse_report(embedded(page))), page);
  EXPECT_THROW(parse_report("{}"), Error);
  EXPECT_THROW(parse_report("{"), Error);
}

TEST_F(ReportHtml, EmbeddedTextCannotChangeThePage) {
  const std::string page = report_html(report_with_special_text());
  const std::string text = embedded(page);
  EXPECT_EQ(text.find('<'), std::string::npos);
  for (const char c : text) {
    ASSERT_TRUE(c >= ' ' && c <= '~') << "not plain ASCII: " << static_cast<int>(c);
  }
  // The page around the embedded report is the same for every report.
  const std::string plain = report_html({});
  EXPECT_EQ(page.substr(0, page.find(text)), plain.substr(0, plain.find(embedded(plain))));
  EXPECT_EQ(page.substr(page.find(text) + text.size()),
            plain.substr(plain.find(embedded(plain)) + embedded(plain).size()));
}

TEST_F(ReportHtml, ThePageLoadsNothingFromTheNetwork) {
  const std::string page = report_html({});
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(page.find("<link"), std::string::npos);
  EXPECT_EQ(page.find("<script src"), std::string::npos);
}

TEST_F(ReportHtml, BytesThatAreNotUtf8AreShownAsSuch) {
  Report report;
  report.command = "hearsay alpha dir\xe9/g.npy";
  EXPECT_NE(report_html(report).find("hearsay alpha dir\\ufffd/g.npy"), std::string::npos);
}

TEST(ReportHtmlWithoutPage, ThrowsError) {
  if (report_available()) {
    GTEST_SKIP() << "this build contains the page of the report";
  }
  EXPECT_THROW(report_html({}), Error);
}

}  // namespace
}  // namespace hearsay
