// The report of the evaluation of a log: its table has the numbers of the evaluation, in the user's
// units, the best arm first.

#include "hearsay/report/evaluation_report.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/random/stream.h"
#include "tests/csv_records.h"

namespace hearsay {
namespace {

using testing::records;

// Rewards from 0 to 10 of arms that are played at random; arm i earns about i * 10 / arms.
LogEvaluation evaluation_of(std::size_t arms, std::size_t rounds) {
  std::string names;
  std::string probabilities;
  for (std::size_t arm = 0; arm < arms; ++arm) {
    const char* comma = arm == 0 ? "" : ", ";
    names += fmt::format("{}\"arm, {}\"", comma, arm);
    probabilities += fmt::format("{}{}", comma, 1.0 / static_cast<double>(arms));
  }
  std::string log = fmt::format(
      R"({{"hearsay_log": 1, "problem": {{"names": [{}], "outcome": {{"kind": "reward", "low": 0, "high": 10}}}}}})"
      "\n",
      names);
  const Stream stream(3, Purpose::test);
  for (std::size_t round = 1; round <= rounds; ++round) {
    const std::size_t arm = round % arms;
    log += fmt::format(
        R"({{"decision": {0}, "arm": "arm, {1}", "probability": {2}, "probabilities": [{3}]}})"
        "\n"
        R"({{"feedback": {0}, "outcome": {4}}})"
        "\n",
        round, arm, 1.0 / static_cast<double>(arms), probabilities,
        static_cast<double>(arm) * 9 / static_cast<double>(arms) + stream.uniform(round));
  }
  std::istringstream text(log);
  return evaluate_log(text, "log", {.bootstrap = 50});
}

TEST(EvaluationReport, HasEveryArmByEveryMethodTheBestFirst) {
  const LogEvaluation evaluation = evaluation_of(4, 400);
  const Report report = evaluation_report(evaluation, "hearsay evaluate log.jsonl");
  ASSERT_EQ(report.tables.size(), 2U);
  const auto rows = records(report.tables[0].text);
  const std::vector<MethodEstimates>& methods = evaluation.losses.methods;
  ASSERT_EQ(rows.size(), 1 + 4 * methods.size());
  std::size_t row = 1;
  for (const Arm arm : {3U, 2U, 1U, 0U}) {
    for (const MethodEstimates& method : methods) {
      const MeanEstimate& loss = method.arms[arm].loss;
      EXPECT_EQ(rows[row][1], fmt::format("arm, {}", arm));
      EXPECT_EQ(std::stod(rows[row][3]), evaluation.value(*loss.estimate));
      EXPECT_EQ(std::stod(rows[row][4]), evaluation.value(loss.bernstein.high));
      EXPECT_EQ(std::stod(rows[row][5]), evaluation.value(loss.bernstein.low));
      EXPECT_EQ(std::stod(rows[row][6]), evaluation.value(loss.bootstrap->high));
      EXPECT_EQ(rows[row][8], fmt::format("{}", method.arms[arm].rounds));
      EXPECT_EQ(std::stod(rows[row][9]), method.arms[arm].effective_rounds);
      ++row;
    }
  }
  ASSERT_EQ(report.figures.size(), 1U);
  EXPECT_EQ(report.figures[0].x.labels,
            (std::vector<std::string>{"arm, 3", "arm, 2", "arm, 1", "arm, 0"}));
  for (const Report::Listing::Column& column : report.listings.at(0).columns) {
    EXPECT_EQ(std::ranges::count(rows[0], column.column), 1) << column.column;
  }
  const auto regrets = records(report.tables[1].text);
  ASSERT_EQ(regrets.size(), 1 + methods.size());
  for (std::size_t i = 0; i < methods.size(); ++i) {
    EXPECT_EQ(regrets[i + 1][1], "arm, 3");
    EXPECT_EQ(std::stod(regrets[i + 1][2]),
              evaluation.difference(*methods[i].regret->regret.estimate));
  }
  const auto regret =
      std::ranges::find(report.facts, "Its regret in a round, by ivx", &Report::Fact::name);
  ASSERT_NE(regret, report.facts.end());
  EXPECT_TRUE(regret->value.ends_with(" against arm, 3")) << regret->value;
}

TEST(EvaluationReport, ShowsTheBestOfManyArms) {
  const LogEvaluation evaluation = evaluation_of(1200, 1200);
  const Report report = evaluation_report(evaluation, "");
  EXPECT_EQ(records(report.tables[0].text).size(), 1 + 1000 * evaluation.losses.methods.size());
  EXPECT_EQ(report.figures[0].x.labels.size(), 20U);
  EXPECT_TRUE(report.listings[0].caption.starts_with("The best 1,000 of 1,200 arms."));
}

}  // namespace
}  // namespace hearsay
