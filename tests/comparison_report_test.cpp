#include "hearsay/report/comparison_report.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/student.h"
#include "hearsay/report/csv.h"
#include "hearsay/report/series.h"
#include "hearsay/runner/run_experiment.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_experiment;

ResultRow row_of(double regret, double standard_error) {
  ResultRow row;
  row.regret = regret;
  row.regret_standard_error = standard_error;
  return row;
}

// Three runs on one sequence. The regrets of the second are those of the first plus 1, 2 and 3.
CurveComparison two_learners() {
  return {.curves = {{.name = "mine, speed 2",
                      .label = "mine",
                      .learner = "Mine",
                      .ours = false,
                      .last = row_of(7, 1.0),
                      .last_regrets = {6, 7, 8}},
                     {.name = "hedge",
                      .label = "hedge",
                      .learner = "hedge",
                      .ours = false,
                      .last = row_of(5, std::sqrt(0.0)),
                      .last_regrets = {5, 5, 5}}},
          .counts = {.rounds = 2000, .sequences = 1, .repetitions = 3}};
}

TEST(CurveComparison, RanksCurvesWithPairedIntervals) {
  const std::vector<RankedRow> ranking = rank_curves(two_learners());
  ASSERT_EQ(ranking.size(), 2U);
  EXPECT_EQ(ranking[0].row.cell, 1U);
  EXPECT_EQ(ranking[0].rank, 1U);
  EXPECT_EQ(ranking[1].row.cell, 0U);
  EXPECT_EQ(ranking[1].rank, 2U);
  const double quantile = student_quantile_95(2);
  EXPECT_EQ(ranking[1].regret_half_width, quantile * 1.0);
  EXPECT_EQ(ranking[1].difference, 2);  // the mean of 1, 2 and 3
  // Their standard deviation is 1.
  EXPECT_EQ(ranking[1].difference_half_width, quantile * std::sqrt(2.0 / 6.0));
}

TEST(CurveComparison, HasNoIntervalsOfWhatIsNotKnown) {
  CurveComparison comparison = two_learners();
  for (ComparedCurve& curve : comparison.curves) {
    curve.last_regrets.clear();
  }
  EXPECT_EQ(rank_curves(comparison)[1].difference, 2);
  EXPECT_FALSE(rank_curves(comparison)[1].difference_half_width);
  EXPECT_TRUE(rank_curves(comparison)[1].regret_half_width);
  comparison.counts = {.rounds = 2000};
  EXPECT_FALSE(rank_curves(comparison)[1].regret_half_width);
  EXPECT_EQ(ranking_caption(comparison),
            "Mean regret after 2,000 rounds. Shown every true loss: hedge.");
}

TEST(CurveComparison, ReplacesWhatAReportSaysAboutItsCurves) {
  CurveComparison comparison = two_learners();
  comparison.curves.push_back(
      {.name = "mine, speed 3", .label = "mine", .learner = "Mine", .last = std::nullopt});
  Report report;
  report.facts = {{"Learners", "17"}, {"Arms", "9"}};
  set_curves(report, comparison, "curve,round,regret\n");
  ASSERT_EQ(report.facts.size(), 5U);
  EXPECT_EQ(report.facts[0].value, "2, in 3 settings");
  EXPECT_EQ(report.facts[1].value, "9");
  EXPECT_EQ(report.ranking.oracles, std::vector<std::string>{"hedge"});
  ASSERT_EQ(report.figures.size(), 1U);
  EXPECT_EQ(report.figures[0].series.size(), 3U);
  ASSERT_EQ(report.tables.size(), 2U);
  // The third curve ends before the last round, so it has no rank.
  EXPECT_EQ(report.tables[0].text.find("speed 3"), std::string::npos);
  EXPECT_EQ(report.tables[0].text.find("1,hedge,hedge,5,"), report.tables[0].text.find('\n') + 1);
}

// The ranking of an experiment is that of its curves.
TEST(CurveComparison, RanksTheCellsOfAnExperimentAsTheExperimentDoes) {
  const ExperimentResult result = run_experiment(small_experiment());
  const Plan& plan = result.plan;
  const Experiment& experiment = plan.experiment();
  CurveComparison comparison{.curves = {}, .counts = run_counts(experiment)};
  const std::vector<std::string> names = cell_names(plan.cells());
  for (const ResultRow& row : at_horizon(plan, result.rows)) {
    const Cell& cell = plan.cells()[row.cell];
    ComparedCurve curve{
        .name = names[row.cell], .label = cell.label, .learner = cell.learner.name, .last = row};
    for (std::size_t sequence = 0; sequence < experiment.sequences; ++sequence) {
      for (std::size_t repetition = 0; repetition < experiment.repetitions; ++repetition) {
        const CurvePoint& last = result.curves.of(sequence, row.cell, repetition).back();
        curve.last_regrets.push_back(last.loss - last.best_arm_loss);
      }
    }
    comparison.curves.push_back(std::move(curve));
  }
  Report report;
  set_curves(report, comparison, "");
  EXPECT_EQ(report.tables[0].text, ranking_csv(plan, rank_rows(plan, result.curves, result.rows)));
}

}  // namespace
}  // namespace hearsay
