// The report of a calibration: its tables have the numbers of the calibration.

#include "hearsay/report/calibration_report.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/random/stream.h"
#include "tests/csv_records.h"

namespace hearsay {
namespace {

using testing::records;

// Twelve arms that show arm 0, with i + 30 pairs for arm i.
Pairs many_arcs() {
  Pairs pairs;
  const Stream stream(2, Purpose::noise);
  for (Arm arm = 0; arm < 13; ++arm) {
    pairs.names.push_back("arm, " + std::to_string(arm));
    for (std::size_t i = 0; arm > 0 && i < arm + std::size_t{30}; ++i) {
      pairs.played.push_back(arm);
      pairs.seen.push_back(0);
      pairs.loss.push_back(stream.uniform(arm, 2 * i));
      pairs.reading.push_back(pairs.loss.back() + 0.1 * stream.uniform(arm, 2 * i + 1));
    }
  }
  return pairs;
}

TEST(CalibrationReport, DrawsTheGroupsWithTheMostPairsAndListsAll) {
  Calibration calibration = calibrate(many_arcs(), {.noise_bound = 1});
  calibration.groups[7].ends_p = 0.125;
  calibration.groups[7].lines_p = 0.25;
  const Report report = calibration_report(calibration, "hearsay calibrate pairs.csv");
  EXPECT_EQ(report.command, "hearsay calibrate pairs.csv");
  ASSERT_EQ(report.tables.size(), 2U);
  const auto groups = records(report.tables[0].text);
  ASSERT_EQ(groups.size(), 13U);
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_EQ(groups[i + 1].size(), groups[0].size());
    EXPECT_EQ(groups[i + 1][0], calibration.groups[i].name);
    EXPECT_EQ(std::stod(groups[i + 1][3]), calibration.groups[i].weight);
  }
  const auto in_group_7 = [&](const std::string& column) {
    const auto found = std::ranges::find(groups[0], column);
    return found == groups[0].end() ? "absent" : *(groups[8].begin() + (found - groups[0].begin()));
  };
  EXPECT_EQ(in_group_7("ends_p"), "0.125");
  EXPECT_EQ(in_group_7("lines_p"), "0.25");
  ASSERT_EQ(report.listings.size(), 1U);
  for (const Report::Listing::Column& column : report.listings[0].columns) {
    EXPECT_NE(std::ranges::find(groups[0], column.column), groups[0].end()) << column.column;
  }
  ASSERT_EQ(report.figures.size(), 3U);
  ASSERT_EQ(report.figures[0].series.size(), 8U);
  EXPECT_EQ(report.figures[0].series[0].label, "arm, 5 -> arm, 0");  // 1 to 4 have fewer pairs
  const auto ranges = records(report.tables[1].text);
  EXPECT_EQ(ranges.size(), 1U + 8 * 8);
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    const double reading = std::stod(ranges[i][3]);
    const double line = std::stod(ranges[i][4]);
    const double residual = std::stod(ranges[i][5]);
    EXPECT_NEAR(reading, line + residual, 1e-12);
    EXPECT_LE(std::abs(residual), std::stod(ranges[i][7]));
  }
  for (const Figure& figure : report.figures) {
    const bool in_groups = figure.table == report.tables[0].name;
    const auto& columns = in_groups ? groups[0] : ranges[0];
    const Figure::Band& band = figure.bands.at(0);
    for (const std::string& column :
         {figure.x.column, figure.y.column, band.low.empty() ? band.column : band.low,
          band.low.empty() ? band.column : band.high}) {
      EXPECT_EQ(std::ranges::count(columns, column), 1) << column;
    }
  }
}

std::string fact(const Report& report, const std::string& name) {
  const auto found = std::ranges::find(report.facts, name, &Report::Fact::name);
  return found == report.facts.end() ? "absent" : found->value;
}

TEST(CalibrationReport, HasTheIndependenceNumbersAndThePairs) {
  const NoiseBoundChoice choice = choice_of(calibrate(many_arcs(), {.noise_bound = 1}));
  Report report = calibration_report(choice.calibration, "");
  add_noise_bounds(report, std::vector{numbers_of(choice)}, 0);
  EXPECT_EQ(fact(report, "Pairs"), "438");  // 31 + ... + 42
  EXPECT_EQ(fact(report, "alpha* without side observations"), "13");
  const double with = std::stod(fact(report, "alpha* with them"));
  EXPECT_NEAR(with, choice.alpha_star.upper, 0.005);
  EXPECT_NEAR(std::stod(fact(report, "alpha^R")), choice.alpha_r.upper, 0.005);
  EXPECT_EQ(report.facts.back().name, "Held out");
  EXPECT_EQ(fact(report, "Recommended for exp3-wix"), "absent");
}

TEST(CalibrationReport, ListsTheNoiseBoundsAndRecommendsOne) {
  std::vector<NoiseBoundNumbers> numbers;
  for (const double noise_bound : {0.5, 1.0, 2.0}) {
    numbers.push_back(numbers_of(choice_of(calibrate(many_arcs(), {.noise_bound = noise_bound}))));
  }
  numbers[2].alpha_star.exact = false;
  Report report = calibration_report(calibrate(many_arcs(), {.noise_bound = 1}), "");
  add_noise_bounds(report, numbers, 1);
  EXPECT_EQ(fact(report, "Recommended for exp3-wix"), "R = 1, of 3 noise bounds");
  ASSERT_EQ(report.listings.size(), 2U);
  EXPECT_NE(report.listings[1].caption.find("R = 1,"), std::string::npos);
  const auto rows = records(report.tables.back().text);
  ASSERT_EQ(rows.size(), 4U);
  for (const Report::Listing::Column& column : report.listings[1].columns) {
    EXPECT_EQ(std::ranges::count(rows[0], column.column), 1) << column.column;
  }
  EXPECT_EQ(report.listings[1].columns[0].decimals, 1);  // 0.5, 1.0, 2.0
  EXPECT_EQ(report.listings[1].columns.size(), 6U);  // lower limits, too, as one search did not end
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(std::stod(rows[i + 1][0]), numbers[i].noise_bound);
    EXPECT_EQ(std::stod(rows[i + 1][2]), numbers[i].alpha_star.upper);
    EXPECT_EQ(std::stod(rows[i + 1][5]), numbers[i].wix_cost);
  }
}

}  // namespace
}  // namespace hearsay
