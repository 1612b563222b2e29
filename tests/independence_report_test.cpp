// The report of `hearsay alpha`: the least of the costs that it draws is the number that was found.

#include "hearsay/report/independence_report.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/graph/families.h"
#include "tests/csv_records.h"

namespace hearsay {
namespace {

using testing::records;

// alpha* and alpha^R with R = 1/2.
IndependenceClaims claims_of(const Graph& graph) {
  const std::vector<Cost> costs = {inverse_square_cost, noise_cost(0.5)};
  const std::vector<EffectiveIndependence> results = effective_independence(graph, costs, {});
  return {.arms = graph.arms(),
          .alpha_star = results[0],
          .noise = NoiseClaim{.noise_bound = 0.5, .alpha_r = results[1]}};
}

TEST(IndependenceReport, DrawsCostsWhoseLeastIsTheNumberFound) {
  const Graph graph = make_grid({.side = 5});
  const IndependenceClaims claims = claims_of(graph);
  const Report report = independence_report(graph, std::vector{claims}, "hearsay alpha grid.npy");
  EXPECT_EQ(report.command, "hearsay alpha grid.npy");
  ASSERT_EQ(report.tables.size(), 1U);
  std::map<std::string, double> least;
  const auto rows = records(report.tables[0].text);
  ASSERT_EQ(rows[0], (std::vector<std::string>{"quantity", "threshold", "lower", "upper",
                                               "alpha_star", "alpha_r"}));
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][2], rows[i][3]);  // so small a graph is solved at every threshold
    const auto entry = least.try_emplace(rows[i][0], std::numeric_limits<double>::infinity()).first;
    entry->second = std::min(entry->second, std::stod(rows[i][3]));
  }
  EXPECT_EQ(least.at("alpha*"), claims.alpha_star->upper);
  EXPECT_EQ(least.at("alpha^R"), claims.noise->alpha_r.upper);
  EXPECT_EQ(least.at("alpha(eps)"), 1);  // at the smallest weight no two arms are independent

  ASSERT_EQ(report.figures.size(), 2U);
  ASSERT_EQ(report.figures[0].references.size(), 2U);
  EXPECT_EQ(report.figures[0].references[0].title, "alpha*");
  EXPECT_EQ(report.figures[0].references[1].title, "alpha^R");
  EXPECT_TRUE(report.figures[0].bands.empty());  // everything is exact
  ASSERT_EQ(report.graphs.size(), 1U);
  EXPECT_EQ(report.graphs[0].witness, std::vector<std::size_t>(claims.alpha_star->witness.begin(),
                                                               claims.alpha_star->witness.end()));
  const auto fact = std::ranges::find(report.facts, "alpha*", &Report::Fact::name);
  ASSERT_NE(fact, report.facts.end());
  EXPECT_EQ(fact->value, "9, exact");
}

// With weights of 0 and 1 alone there is only one threshold, which makes no curve.
TEST(IndependenceReport, DrawsNoCurveOfASingleThreshold) {
  const Graph graph = make_cliques({.count = 3, .size = 2});
  const Report report = independence_report(
      graph,
      std::vector{IndependenceClaims{.arms = 6, .alpha_star = effective_independence(graph, {})}},
      "");
  EXPECT_TRUE(report.figures.empty());
  EXPECT_EQ(report.graphs.size(), 1U);
  const auto fact = std::ranges::find(report.facts, "Threshold of alpha*", &Report::Fact::name);
  ASSERT_NE(fact, report.facts.end());
  EXPECT_EQ(fact->value, "eps = 1, where alpha(eps) is 3, exact");
}

TEST(IndependenceReport, AReportOfThresholdsHasWhatWasFoundAtThem) {
  const Graph graph = make_grid({.side = 4});
  std::vector<IndependenceClaims> claims;
  for (const double threshold : {0.55, 0.7}) {
    claims.push_back({.arms = 16, .number = independence_number(graph, threshold)});
  }
  const Report report = independence_report(graph, claims, "hearsay alpha grid.npy --at 0.55,0.7");
  ASSERT_EQ(report.figures.size(), 1U);
  const auto rows = records(report.tables[0].text);
  for (const IndependenceClaims& claim : claims) {
    const auto row = std::ranges::find(rows, fmt::format("{}", claim.number->threshold),
                                       [](const auto& each) { return each[1]; });
    ASSERT_NE(row, rows.end());
    EXPECT_EQ((*row)[3], fmt::format("{}", claim.number->upper));
  }
  ASSERT_EQ(report.graphs.size(), 1U);
  EXPECT_EQ(report.graphs[0].threshold, 0.55);
  EXPECT_EQ(report.graphs[0].witness.size(), claims[0].number->lower);
}

// As after Ctrl-C, when no search may go on.
TEST(IndependenceReport, SearchesAtNoFurtherThresholdOnceItIsStopped) {
  const Graph graph = make_grid({.side = 5});
  std::vector<IndependenceClaims> claims;
  for (const double threshold : {0.55, 0.7}) {
    claims.push_back({.arms = 25, .number = independence_number(graph, threshold)});
  }
  int calls = 0;
  const auto searched_thresholds = [&](int most) {
    calls = 0;
    const Report report = independence_report(graph, claims, "", [&] { return ++calls > most; });
    return records(report.tables.at(0).text).size() - 1 - claims.size();
  };
  EXPECT_EQ(searched_thresholds(0), 0U);
  EXPECT_EQ(searched_thresholds(3), 3U);
}

TEST(IndependenceReport, SaysThatTheSearchEndedEarly) {
  const Graph graph = make_grid({.side = 7});
  const EffectiveIndependence stopped =
      effective_independence(graph, {.effort = {.threads = 1, .stop = [] { return true; }}});
  ASSERT_FALSE(stopped.exact);
  const Report report = independence_report(
      graph, std::vector{IndependenceClaims{.arms = 49, .alpha_star = stopped}}, "");
  const auto fact = std::ranges::find(report.facts, "alpha*", &Report::Fact::name);
  ASSERT_NE(fact, report.facts.end());
  EXPECT_TRUE(fact->value.ends_with("the search ended early")) << fact->value;
}

}  // namespace
}  // namespace hearsay
