#include "hearsay/work/result.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "hearsay/report/csv.h"
#include "tests/dice.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_plan;

// Fills in made-up records, and checks the rows against the textbook's formulas, computed the short
// way (mean of squares less square of mean). Tolerances: sums of a few numbers below 10.
TEST(Result, IsWhatTheTextbookSays) {
  const Plan plan = small_plan();
  Records records(plan);
  Dice dice(3);
  for (const Unit& unit : plan.units()) {
    for (CurvePoint& record : records.of(unit)) {
      record = {10 * dice.uniform(), dice.uniform(), 100 * dice.uniform()};
    }
  }
  const std::vector<ResultRow> rows = summarize(plan, records);
  ASSERT_EQ(rows.size(), plan.cells().size() * plan.points().size());
  constexpr double kSequences = 2;
  constexpr double kRepetitions = 3;
  constexpr double kRuns = kSequences * kRepetitions;
  std::size_t at = 0;
  for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
    for (std::size_t point = 0; point < plan.points().size(); ++point) {
      double sum = 0;
      double squares = 0;
      double within = 0;
      double mean_squares = 0;
      double loss = 0;
      double loss_squares = 0;
      double best = 0;
      double bound = 0;
      for (std::size_t s = 0; s < 2; ++s) {
        double of_sequence = 0;
        double squares_of_sequence = 0;
        for (std::size_t r = 0; r < 3; ++r) {
          const CurvePoint& record = records.of(s, cell, r)[point];
          const double regret = record.loss - record.best_arm_loss;
          of_sequence += regret;
          squares_of_sequence += regret * regret;
          loss += record.loss;
          loss_squares += record.loss * record.loss;
          best += record.best_arm_loss;
          bound += record.bound;
        }
        sum += of_sequence;
        squares += squares_of_sequence;
        const double mean = of_sequence / kRepetitions;
        mean_squares += mean * mean;
        within += (squares_of_sequence - kRepetitions * mean * mean) / (kRepetitions - 1);
      }
      const ResultRow& row = rows[at++];
      const double mean = sum / kRuns;
      EXPECT_EQ(row.cell, cell);
      EXPECT_EQ(row.round, plan.points()[point]);
      EXPECT_EQ(row.runs, 6);
      EXPECT_NEAR(row.regret, mean, 1e-12);
      EXPECT_NEAR(row.regret_sd.value(), std::sqrt((squares - kRuns * mean * mean) / (kRuns - 1)),
                  1e-12);
      EXPECT_NEAR(row.regret_sd_within_sequence.value(), std::sqrt(within / kSequences), 1e-12);
      const double of_means = (mean_squares - kSequences * mean * mean) / (kSequences - 1);
      EXPECT_NEAR(row.regret_standard_error.value(), std::sqrt(of_means / kSequences), 1e-7);
      EXPECT_NEAR(row.loss, loss / kRuns, 1e-12);
      EXPECT_NEAR(row.loss_sd.value(),
                  std::sqrt((loss_squares - loss * loss / kRuns) / (kRuns - 1)), 1e-12);
      EXPECT_NEAR(row.best_arm_loss, best / kRuns, 1e-12);
      EXPECT_NEAR(row.bound.value(), bound / kRuns, 1e-12);
    }
  }
  const std::vector<ResultRow> last = at_horizon(plan, rows);
  ASSERT_EQ(last.size(), plan.cells().size());
  EXPECT_EQ(last[1].round, 60);
  EXPECT_EQ(last[1].cell, 1);
}

TEST(Result, OfOneSequenceTheStandardErrorIsThatOfTheRuns) {
  const Plan plan = small_plan({"sequences=1"});
  Records records(plan);
  double next = 0;
  for (const Unit& unit : plan.units()) {
    for (CurvePoint& record : records.of(unit)) {
      record = {next++, 0, 0};
    }
  }
  const ResultRow row = summarize(plan, records).front();
  EXPECT_EQ(row.regret_sd, row.regret_sd_within_sequence);
  EXPECT_NEAR(row.regret_standard_error.value(), row.regret_sd.value() / std::sqrt(3), 1e-12);
}

TEST(Result, ThereIsNoSpreadOfOneRunAndNoBoundWhereARunHasNone) {
  const Plan plan = small_plan({"sequences=1", "repetitions=1"});
  Records records(plan);
  records.of(plan.units()[0])[0].bound = std::numeric_limits<double>::quiet_NaN();
  const std::vector<ResultRow> rows = summarize(plan, records);
  EXPECT_EQ(rows[0].regret_sd, std::nullopt);
  EXPECT_EQ(rows[0].regret_sd_within_sequence, std::nullopt);
  EXPECT_EQ(rows[0].regret_standard_error, std::nullopt);
  EXPECT_EQ(rows[0].bound, std::nullopt);
  EXPECT_EQ(rows[1].bound, 0);
}

TEST(Result, OfRunsWithoutAPlanIsThatOfEveryPoint) {
  // Two runs, two points: run after run.
  const std::vector<CurvePoint> records = {{3, 1, 10}, {8, 2, 20}, {5, 1, 30}, {6, 2, 40}};
  const std::vector<std::uint64_t> points = {7, 9};
  const std::vector<ResultRow> rows = summarize_runs(records, 2, points);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].round, 7);
  EXPECT_EQ(rows[0].runs, 2);
  EXPECT_EQ(rows[0].regret, 3);  // of 2 and 4
  EXPECT_EQ(rows[0].regret_sd, std::sqrt(2.0));
  EXPECT_EQ(rows[0].bound, 20);
  EXPECT_EQ(rows[1].round, 9);
  EXPECT_EQ(rows[1].regret, 5);  // of 6 and 4
  EXPECT_EQ(rows[1].loss, 7);
}

TEST(Csv, NamesItsColumnsAsTheFileAndQuotesWhatItMust) {
  const Plan plan = small_plan({"learners.exp3.label='a, \"b\"'", "repetitions=1", "sequences=1"});
  const std::string csv = results_csv(plan, summarize(plan, Records(plan)));
  EXPECT_TRUE(
      csv.starts_with("label,learner,noise_bound,rate,exploration,threshold,delta,tuning,engine,"
                      "round,runs,regret,"))
      << csv;
  EXPECT_NE(csv.find("\n\"a, \"\"b\"\"\",exp3,1,adaptive,theory,,,,exact,1,1,0,,,,0,,0,0\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("\nexp3-wix,exp3-wix,1,adaptive,theory,,1,sharp,exact,60,"),
            std::string::npos);
}

}  // namespace
}  // namespace hearsay
