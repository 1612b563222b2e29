#include "hearsay/work/ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/student.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::small_plan;

// One and two degrees of freedom have quantiles in closed form; the others are from printed
// tables, and the limit is that of the normal distribution.
TEST(Student, HasTheQuantilesOfTables) {
  EXPECT_NEAR(student_quantile_95(1), std::tan(0.475 * std::numbers::pi), 1e-6);
  EXPECT_NEAR(student_quantile_95(2), 0.95 * std::sqrt(2 / (1 - 0.95 * 0.95)), 1e-6);
  EXPECT_NEAR(student_quantile_95(3), 3.182446, 1e-6);
  EXPECT_NEAR(student_quantile_95(10), 2.228139, 1e-6);
  EXPECT_NEAR(student_quantile_95(30), 2.042272, 1e-6);
  EXPECT_NEAR(student_quantile_95(10'000), 1.959964, 3e-4);
  EXPECT_EQ(student_quantile_95(std::numeric_limits<std::size_t>::max()), 1.959964);
}

// Curves in which the regret of a run is regret(cell, sequence, repetition).
template <class Regret>
Curves curves_with(const Plan& plan, const Regret& regret) {
  Curves curves(plan);
  for (const Unit& unit : plan.units()) {
    const std::span<CurvePoint> points = curves.of(unit);
    const std::size_t points_per_run = points.size() / unit.runs();
    for (std::size_t run = 0; run < unit.runs(); ++run) {
      points[(run + 1) * points_per_run - 1].loss =
          regret(unit.cell, unit.sequence, unit.begin + run);
    }
  }
  return curves;
}

std::vector<RankedRow> rank(const Plan& plan, const Curves& curves) {
  return rank_rows(plan, curves, summarize(plan, curves));
}

TEST(Ranking, IsByRegretAndCellsOfEqualRegretShareARank) {
  const Plan plan = small_plan();
  const std::vector<double> regrets = {5, 3, 8, 3, 1, 9, 8, 2};
  const std::vector<RankedRow> ranking =
      rank(plan, curves_with(plan, [&](std::size_t cell, auto, auto) { return regrets.at(cell); }));
  std::vector<std::size_t> cells;
  std::vector<std::size_t> ranks;
  for (const RankedRow& each : ranking) {
    cells.push_back(each.row.cell);
    ranks.push_back(each.rank);
    EXPECT_EQ(each.difference, regrets.at(each.row.cell) - 1);
    EXPECT_EQ(each.difference_half_width, 0);  // the same in every pair
  }
  EXPECT_EQ(cells, (std::vector<std::size_t>{4, 7, 1, 3, 0, 2, 6, 5}));
  EXPECT_EQ(ranks, (std::vector<std::size_t>{1, 2, 3, 3, 5, 6, 6, 8}));
}

// What all learners have in common in a sequence or a run is not part of the difference.
TEST(Ranking, ComparesInPairs) {
  for (const char* sequences : {"sequences=2", "sequences=1"}) {
    const Plan plan = small_plan({sequences});
    const auto shared = [](std::size_t sequence, std::size_t repetition) {
      return 100 * static_cast<double>(sequence) + 10 * static_cast<double>(repetition);
    };
    const std::vector<RankedRow> ranking =
        rank(plan,
             curves_with(plan, [&](std::size_t cell, std::size_t sequence, std::size_t repetition) {
               return static_cast<double>(cell) + shared(sequence, repetition);
             }));
    // Of two sequences the means are 10 and 110, with one degree of freedom; of one sequence the
    // runs are 0, 10 and 20, with two.
    const bool one = plan.experiment().sequences == 1;
    const double expected = one ? student_quantile_95(2) * 10 / std::sqrt(3)
                                : student_quantile_95(1) * 100 / std::sqrt(2) / std::sqrt(2);
    EXPECT_EQ(independent_values(plan.experiment().sequences, plan.experiment().repetitions),
              one ? 3U : 2U);
    for (const RankedRow& each : ranking) {
      EXPECT_NEAR(*each.regret_half_width, expected, 1e-9);
      EXPECT_NEAR(each.difference, static_cast<double>(each.row.cell), 1e-12);
      EXPECT_NEAR(*each.difference_half_width, 0, 1e-12);
    }
  }
}

TEST(Ranking, HasNoIntervalsForASingleRun) {
  const Plan plan = small_plan({"sequences=1", "repetitions=1"});
  for (const RankedRow& each : rank(plan, Curves(plan))) {
    EXPECT_FALSE(each.regret_half_width);
    EXPECT_FALSE(each.difference_half_width);
  }
}

}  // namespace
}  // namespace hearsay
