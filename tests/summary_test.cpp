#include "hearsay/work/summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/report/csv.h"
#include "tests/csv_records.h"
#include "tests/random_source.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_plan;

// Fills in made-up points and checks the rows against the formulas of a textbook, computed in
// another way (mean of squares less square of mean). The tolerances are for sums of a few numbers
// below 10.
TEST(Summary, HasTheMeansAndDeviationsOfTheTextbook) {
  const Plan plan = small_plan();
  Curves curves(plan);
  RandomSource dice(3);
  for (const Unit& unit : plan.units()) {
    for (CurvePoint& point : curves.of(unit)) {
      point = {10 * dice.uniform(), dice.uniform(), 100 * dice.uniform()};
    }
  }
  const std::vector<ResultRow> rows = summarize(plan, curves);
  ASSERT_EQ(rows.size(), plan.cells().size() * plan.points().size());
  constexpr double kSequences = 2;
  constexpr double kRepetitions = 3;
  constexpr double kRuns = kSequences * kRepetitions;
  std::size_t row_index = 0;
  for (std::size_t cell = 0; cell < plan.cells().size(); ++cell) {
    for (std::size_t point = 0; point < plan.points().size(); ++point) {
      double sum = 0;
      double squares = 0;
      double variances_within = 0;
      std::vector<double> means_of_sequences;
      double loss = 0;
      double loss_squares = 0;
      double best = 0;
      double bound = 0;
      for (std::size_t s = 0; s < 2; ++s) {
        double sum_of_sequence = 0;
        double squares_of_sequence = 0;
        for (std::size_t r = 0; r < 3; ++r) {
          const CurvePoint& recorded = curves.of(s, cell, r)[point];
          const double regret = recorded.loss - recorded.best_arm_loss;
          sum_of_sequence += regret;
          squares_of_sequence += regret * regret;
          loss += recorded.loss;
          loss_squares += recorded.loss * recorded.loss;
          best += recorded.best_arm_loss;
          bound += recorded.bound;
        }
        sum += sum_of_sequence;
        squares += squares_of_sequence;
        const double mean = sum_of_sequence / kRepetitions;
        means_of_sequences.push_back(mean);
        variances_within += (squares_of_sequence - kRepetitions * mean * mean) / (kRepetitions - 1);
      }
      const ResultRow& row = rows[row_index++];
      const double mean = sum / kRuns;
      EXPECT_EQ(row.cell, cell);
      EXPECT_EQ(row.round, plan.points()[point]);
      EXPECT_EQ(row.runs, 6);
      EXPECT_NEAR(row.regret, mean, 1e-12);
      EXPECT_NEAR(row.regret_sd.value(), std::sqrt((squares - kRuns * mean * mean) / (kRuns - 1)),
                  1e-12);
      EXPECT_NEAR(row.regret_sd_within_sequence.value(), std::sqrt(variances_within / kSequences),
                  1e-12);
      // The standard deviation of two numbers is their distance divided by the root of 2.
      EXPECT_NEAR(row.regret_standard_error.value(),
                  std::abs(means_of_sequences[0] - means_of_sequences[1]) / 2, 1e-12);
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

TEST(Summary, OnOneSequenceTheStandardErrorIsThatOfTheRuns) {
  const Plan plan = small_plan({"sequences=1"});
  Curves curves(plan);
  double next = 0;
  for (const Unit& unit : plan.units()) {
    for (CurvePoint& point : curves.of(unit)) {
      point = {next++, 0, 0};
    }
  }
  const ResultRow row = summarize(plan, curves).front();
  EXPECT_EQ(row.regret_sd, row.regret_sd_within_sequence);
  EXPECT_NEAR(row.regret_standard_error.value(), row.regret_sd.value() / std::sqrt(3), 1e-12);
}

TEST(Summary, HasNoDeviationOfOneRunAndNoBoundUnlessEveryRunHasOne) {
  const Plan plan = small_plan({"sequences=1", "repetitions=1"});
  Curves curves(plan);
  curves.of(plan.units()[0])[0].bound = std::numeric_limits<double>::quiet_NaN();
  const std::vector<ResultRow> rows = summarize(plan, curves);
  EXPECT_EQ(rows[0].regret_sd, std::nullopt);
  EXPECT_EQ(rows[0].regret_sd_within_sequence, std::nullopt);
  EXPECT_EQ(rows[0].regret_standard_error, std::nullopt);
  EXPECT_EQ(rows[0].bound, std::nullopt);
  EXPECT_EQ(rows[1].bound, 0);
}

TEST(Summary, EveryPointOfTheRunsHasARow) {
  // Two runs with two points each, the points of the first run first.
  const std::vector<CurvePoint> runs = {{3, 1, 10}, {8, 2, 20}, {5, 1, 30}, {6, 2, 40}};
  const std::vector<std::uint64_t> points = {7, 9};
  const std::vector<ResultRow> rows = summarize_runs(runs, 2, points);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].round, 7);
  EXPECT_EQ(rows[0].runs, 2);
  EXPECT_EQ(rows[0].regret, 3);  // the mean of 2 and 4
  EXPECT_EQ(rows[0].regret_sd, std::sqrt(2.0));
  EXPECT_EQ(rows[0].bound, 20);
  EXPECT_EQ(rows[1].round, 9);
  EXPECT_EQ(rows[1].regret, 5);  // the mean of 6 and 4
  EXPECT_EQ(rows[1].loss, 7);
}

TEST(Csv, NamesItsColumnsAsTheFileDoesAndQuotesLabels) {
  const Plan plan = small_plan({"learners.exp3.label='a, \"b\"'", "repetitions=1", "sequences=1"});
  const std::string csv = results_csv(plan, summarize(plan, Curves(plan)));
  EXPECT_TRUE(
      csv.starts_with("label,learner,noise_bound,rate,exploration,threshold,delta,tuning,noise,"
                      "switches,order,alpha,horizon,engine,round,runs,regret,"))
      << csv;
  EXPECT_NE(csv.find("\n\"a, \"\"b\"\"\",exp3,1,adaptive,theory,,,,,,,,,exact,1,1,0,,,,0,,0,0\n"),
            std::string::npos)
      << csv;
  EXPECT_NE(csv.find("\nexp3-wix,exp3-wix,1,adaptive,theory,,1,sharp,,,,,,exact,60,"),
            std::string::npos);
}

Curves made_up_curves(const Plan& plan) {
  Curves curves(plan);
  RandomSource dice(7);
  for (const Unit& unit : plan.units()) {
    for (CurvePoint& point : curves.of(unit)) {
      point = {10 * dice.uniform(), dice.uniform(), 100 * dice.uniform()};
    }
  }
  return curves;
}

TEST(Csv, ReadsBackTheSameRows) {
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{"learners.exp3.label='a, \"b\"'"},
        {"repetitions=1", "sequences=1"}}) {  // with some values missing
    const Plan plan = small_plan(overrides);
    const std::vector<ResultRow> rows = summarize(plan, made_up_curves(plan));
    const std::vector<ResultRow> read =
        parse_results_csv(results_csv(plan, rows), "results.csv", plan);
    ASSERT_EQ(read.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      EXPECT_EQ(read[i].cell, rows[i].cell);
      EXPECT_EQ(read[i].round, rows[i].round);
      EXPECT_EQ(read[i].runs, rows[i].runs);
      for (const ResultColumn& column : kResultColumns) {
        EXPECT_EQ(column.get(read[i]), column.get(rows[i])) << column.name;
      }
    }
  }
}

TEST(Csv, QuotesTheNameOfARegisteredLearner) {
  LearnerRow row = learner_row("exp3");
  row.name = "exp3, again";
  register_learner(row);
  const Plan plan = small_plan({"learners=[{learner='exp3, again'}]"});
  const Curves curves = made_up_curves(plan);
  const std::vector<ResultRow> rows = summarize(plan, curves);
  for (const std::string& csv :
       {results_csv(plan, rows), ranking_csv(plan, rank_rows(plan, curves, rows))}) {
    const auto records = testing::records(csv);
    const auto column = std::ranges::find(records.front(), "learner") - records.front().begin();
    for (std::size_t i = 1; i < records.size(); ++i) {
      ASSERT_EQ(records[i].size(), records.front().size()) << csv;
      EXPECT_EQ(records[i][static_cast<std::size_t>(column)], "exp3, again");
    }
  }
  EXPECT_EQ(parse_results_csv(results_csv(plan, rows), "results.csv", plan).size(), rows.size());
}

TEST(Csv, RefusesOtherResults) {
  const Plan plan = small_plan();
  const std::string csv = results_csv(plan, summarize(plan, made_up_curves(plan)));
  const auto refused = [&](const std::string& text) {
    try {
      parse_results_csv(text, "results.csv", plan);
    } catch (const Error& error) {
      return error.place();
    }
    return std::string();
  };
  EXPECT_EQ(refused(csv), "");
  EXPECT_EQ(refused(csv + csv), "results.csv");
  EXPECT_EQ(refused("x" + csv), "results.csv");
  // Without its last field, and without its last row.
  EXPECT_EQ(refused(csv.substr(0, csv.rfind(','))), "results.csv");
  EXPECT_EQ(refused(csv.substr(0, csv.rfind("\nhedge") + 1)), "results.csv:40");
  std::string changed = csv;
  changed[changed.find("exp3-wix")] = 'E';
  EXPECT_EQ(refused(changed), "results.csv");
  changed = csv;
  changed[changed.rfind('.')] = 'x';
  EXPECT_EQ(refused(changed), "results.csv:41");
}

}  // namespace
}  // namespace hearsay
