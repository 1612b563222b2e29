#include "hearsay/report/experiment_report.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/text.h"
#include "hearsay/report/comparison_report.h"
#include "hearsay/report/series.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_plan;

Report report_of(const Plan& plan) {
  const Curves curves(plan);
  const std::vector<ResultRow> rows = summarize(plan, curves);
  return experiment_report(plan, result_tables(plan, curves, rows));
}

// The rows of a table without quotes, by the names of their columns.
std::vector<std::map<std::string, std::string>> parse(const std::string& csv) {
  std::vector<std::vector<std::string>> lines;
  LineReader reader(csv, "table");
  while (reader.next()) {
    std::vector<std::string>& fields = lines.emplace_back();
    const auto commas = std::ranges::count(reader.line(), ',');
    std::string_view rest = reader.line();
    for (auto i = commas; i >= 0; --i) {
      fields.emplace_back(take_field(rest, ','));
    }
  }
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    auto& row = rows.emplace_back();
    for (std::size_t column = 0; column < lines.front().size(); ++column) {
      row[lines.front()[column]] = lines[i][column];
    }
  }
  return rows;
}

// The page finds the series of a row by its values, and shows the label.
void expect_every_row_has_one_series(const Report& report) {
  for (const Figure& figure : report.figures) {
    SCOPED_TRACE(figure.id);
    std::set<std::string> labels;
    for (const Figure::Series& series : figure.series) {
      EXPECT_EQ(series.values.size(), figure.series_columns.size());
      EXPECT_TRUE(labels.insert(series.label).second) << series.label << " twice";
    }
    const auto table = std::ranges::find(report.tables, figure.table, &Report::Table::name);
    ASSERT_NE(table, report.tables.end());
    for (auto& row : parse(table->text)) {
      std::vector<std::string> values;
      for (const std::string& column : figure.series_columns) {
        ASSERT_TRUE(row.contains(column)) << column;
        values.push_back(row[column]);
      }
      EXPECT_EQ(std::ranges::count(figure.series, values, &Figure::Series::values), 1);
    }
  }
}

TEST(ExperimentReport, ListsTheSeriesOfEveryRow) {
  const std::string sweep =
      "learners=[{learner='exp3-ixt', threshold=[0, 0.5, 1], rate=['adaptive', 0.1], "
      "noise_bound=[1, 2]}, {learner='exp3-wix', tuning=['paper', 'sharp']}, {learner='exp3'}]";
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{}, {sweep}, {"learners=[{learner='exp3'}]"}}) {
    expect_every_row_has_one_series(report_of(small_plan(overrides)));
  }
}

TEST(ExperimentReport, ShowsTheLongestSweepOnAnAxisAndTheNextInPanels) {
  const Report report =
      report_of(small_plan({"learners=[{learner='exp3-ixt', threshold=[0, 0.25, 0.5, 1], "
                            "rate=['adaptive', 0.1, 0.2], noise_bound=[1, 2]}]"}));
  ASSERT_EQ(report.figures.size(), 2);
  const Figure& final_regret = report.figures[0];
  EXPECT_EQ(final_regret.x.column, "threshold");
  EXPECT_EQ(final_regret.panel, "rate");
  EXPECT_EQ(final_regret.series_columns, (std::vector<std::string>{"label", "noise_bound"}));
  const Figure& over_time = report.figures[1];
  EXPECT_EQ(over_time.x.column, "round");
  EXPECT_EQ(over_time.filter.at("threshold"), (std::vector<std::string>{"", "0", "0.5", "1"}));
}

// The labels tell the learners apart: panels by the tuning would keep them from being compared.
TEST(ExperimentReport, ShowsOneValueOfAParameterForEachLabelInOnePanel) {
  std::string learners = "{learner='exp3-ivc'}";
  for (int i = 0; i < 8; ++i) {
    learners += ", {learner='exp3-wix', label='wix " + std::to_string(i) + "', tuning='" +
                (i % 2 == 0 ? "paper" : "sharp") + "', rate=0." + std::to_string(i + 1) + "}";
  }
  const Report report = report_of(small_plan({"learners=[" + learners + "]"}));
  ASSERT_EQ(report.figures.size(), 1U);
  EXPECT_EQ(report.figures[0].panel, "");
  EXPECT_EQ(report.figures[0].series_columns, std::vector<std::string>{"label"});
  EXPECT_EQ(report.figures[0].series.size(), 9U);
}

TEST(ExperimentReport, DrawsNoCurvesOfASinglePoint) {
  EXPECT_TRUE(
      report_of(small_plan({"points=[60]", "learners=[{learner='exp3'}, {learner='exp3-wix'}]"}))
          .figures.empty());
}

TEST(ExperimentReport, NamesTheCellsOfItsRankingAsItsFigures) {
  const Plan plan = small_plan();
  const Report report = report_of(plan);
  ASSERT_EQ(report.tables.front().name, report.ranking.table);
  const auto rows = parse(report.tables.front().text);
  ASSERT_EQ(rows.size(), plan.cells().size());
  for (const auto& row : rows) {
    EXPECT_EQ(row.at("rank"), "1");  // no curve was computed: all regrets are zero
  }
  EXPECT_EQ(
      cell_names(plan.cells()),
      (std::vector<std::string>{"exp3, rate adaptive", "exp3, rate 0.1", "exp3-ixt, threshold 0",
                                "exp3-ixt, threshold 0.5", "exp3-wix, tuning paper",
                                "exp3-wix, tuning sharp", "exp3-ivx", "hedge"}));
}

TEST(ExperimentReport, CountsLearnersAndTheirSettingsApart) {
  const auto learners = [](const Plan& plan) {
    const Report report = report_of(plan);
    return std::ranges::find(report.facts, "Learners", &Report::Fact::name)->value;
  };
  EXPECT_EQ(learners(small_plan()), "5, in 8 settings");
  EXPECT_EQ(learners(small_plan({"learners=[{learner='exp3'}, {learner='hedge'}]"})), "2");
}

TEST(ExperimentReport, DrawsTheGraphOfTheFirstRound) {
  const Report report = report_of(small_plan());
  ASSERT_EQ(report.graphs.size(), 1U);
  const GraphPicture& picture = report.graphs.front();
  EXPECT_EQ(picture.arms, 9U);
  EXPECT_EQ(picture.side, 9U);
  EXPECT_EQ(picture.weights.size(), 2U * 9 * 9);
  for (std::size_t arm = 0; arm < 9; ++arm) {
    EXPECT_EQ(picture.weights.substr(2 * (9 * arm + arm), 2), "ff");  // an arm shows itself
  }
}

TEST(Series, AreLabelledByTheirFirstColumnAndByTheOthersInWhichTheyDiffer) {
  const Plan plan = small_plan();
  std::vector<std::string> labels;
  for (const Figure::Series& series :
       series_of(plan.cells(), {"label", "tuning", "threshold", "rate"})) {
    labels.push_back(series.label);
    EXPECT_EQ(series.ours,
              series.label.find("sharp") != std::string::npos || series.label == "exp3-ivx")
        << series.label;
  }
  EXPECT_EQ(labels, (std::vector<std::string>{"exp3, rate adaptive", "exp3, rate 0.1",
                                              "exp3-ixt, threshold 0", "exp3-ixt, threshold 0.5",
                                              "exp3-wix, tuning paper", "exp3-wix, tuning sharp",
                                              "exp3-ivx", "hedge"}));
  // Cells that look alike are one series.
  EXPECT_EQ(series_of(plan.cells(), {"label"}).size(), 5);
}

TEST(ExperimentReport, SaysWhichLearnersWereShownMoreThanTheOthers) {
  EXPECT_EQ(informed_learners_text(small_plan().cells()), "Shown every true loss: hedge.");
  const Plan informed = small_plan({"learners.exp3-ivx.learner=\"exp3-dom\""});
  EXPECT_EQ(informed_learners_text(informed.cells()),
            "Informed of the graph before each draw: exp3-dom. Shown every true loss: hedge.");
  EXPECT_NE(report_of(informed).ranking.caption.find("Informed"), std::string::npos);
  EXPECT_EQ(report_of(informed).ranking.oracles, std::vector<std::string>{"hedge"});
  EXPECT_EQ(informed_learners_text(small_plan({"learners.hedge.learner=\"uniform\""}).cells()), "");
}

}  // namespace
}  // namespace hearsay
