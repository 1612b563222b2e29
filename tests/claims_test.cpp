// The rules of the verdicts, on made-up numbers with which each verdict occurs.

#include "reproduce/claims.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace hearsay::reproduce {
namespace {

using Verdict = Report::Verdict;

constexpr Verdict kHolds = Verdict::holds;
constexpr Verdict kInPart = Verdict::in_part;
constexpr Verdict kDoesNotHold = Verdict::does_not_hold;

EffectiveIndependence number(double value, double threshold = 1) {
  EffectiveIndependence result;
  result.lower = value;
  result.upper = value;
  result.exact = true;
  result.threshold = threshold;
  return result;
}

// Two graphs of each law and size. Of U(0, 1), one is 0.1 above the value and one 0.1 below it.
std::vector<RandomGraphPoint> graphs(const std::function<double(double)>& whole,
                                     const std::function<double(double)>& upper_half,
                                     const std::function<double(double)>& lower_half) {
  std::vector<RandomGraphPoint> points;
  const std::vector<std::pair<WeightLaw, std::function<double(double)>>> laws = {
      {{0, 1}, whole}, {{0.5, 1}, upper_half}, {{0, 0.5}, lower_half}};
  for (const auto& [law, value] : laws) {
    for (const std::size_t arms : {10U, 20U, 40U, 50U, 60U, 80U, 100U, 120U, 200U}) {
      for (const std::size_t graph : {0U, 1U}) {
        const double offset = law == WeightLaw{0, 1} ? (graph == 0 ? 0.1 : -0.1) : 0;
        points.push_back({law, arms, graph, number(value(static_cast<double>(arms)) + offset)});
      }
    }
  }
  return points;
}

double logarithm(double arms) {
  return 5 * std::log(arms) - 6;
}
double power(double exponent, double arms) {
  return std::pow(arms, exponent);
}
double constant_three(double /*arms*/) {
  return 3;
}
double linear_then_logarithm(double arms) {
  return arms <= 50 ? arms : 50 + 20 * std::log(arms / 50);
}

TEST(Claims, TheGrowthOfRandomGraphsGetsEveryVerdict) {
  const auto verdicts = [](const std::vector<RandomGraphPoint>& points) {
    std::vector<Verdict> found;
    for (const Report::Claim& claim : random_graph_claims(points)) {
      found.push_back(claim.verdict);
    }
    return found;
  };
  const std::vector<Verdict> all = {kHolds, kHolds, kHolds};
  EXPECT_EQ(verdicts(graphs(logarithm, constant_three, linear_then_logarithm)), all);

  const auto root = [](double arms) { return power(0.4, arms); };
  const auto line = [](double arms) { return arms; };
  const auto above_four_at_the_end = [](double arms) { return arms > 100 ? 4.1 : 3; };
  const std::vector<Verdict> worse = {kInPart, kDoesNotHold, kDoesNotHold};
  EXPECT_EQ(verdicts(graphs(root, above_four_at_the_end, line)), worse);

  // A function that is linear up to 50 and then a power, and one that is a logarithm everywhere.
  const auto linear_then_power = [](double arms) { return arms <= 50 ? arms : power(0.8, arms); };
  EXPECT_EQ(verdicts(graphs(line, constant_three, linear_then_power))[0], kDoesNotHold);
  EXPECT_EQ(verdicts(graphs(line, constant_three, linear_then_power))[2], kInPart);
  EXPECT_EQ(verdicts(graphs(line, constant_three, logarithm))[2], kInPart);
}

TEST(Claims, TheFittedLogarithmIsTheOneFromWhichTheMeansWereMade) {
  const PaperTrend trend(graphs(logarithm, constant_three, linear_then_logarithm));
  for (const std::size_t arms : {20U, 60U, 200U}) {
    EXPECT_NEAR(trend({0, 1}, arms).value(), logarithm(static_cast<double>(arms)), 1e-9);
    EXPECT_NEAR(trend({0, 0.5}, arms).value(), linear_then_logarithm(static_cast<double>(arms)),
                1e-9);
    EXPECT_EQ(trend({0.5, 1}, arms), 4);
  }
  EXPECT_FALSE(trend({0, 1}, 10));
  EXPECT_FALSE(trend({0.2, 0.4}, 60));
  EXPECT_FALSE(PaperTrend({})({0, 1}, 20));
}

std::vector<GridPoint> grids(double printed, double other) {
  std::vector<GridPoint> points;
  for (const auto& [law, value] :
       {std::pair{DistanceWeight::Law::inverse_one_plus_square, printed},
        std::pair{DistanceWeight::Law::inverse_square_one_plus, other}}) {
    for (std::size_t side = 8; side <= 12; ++side) {
      points.push_back({{.law = law}, side, number(value)});
    }
  }
  return points;
}

// The tolerances are half a unit in the last digit to which the limits are known.
TEST(Claims, TheLimitsOfGridsAreTheKnownOnes) {
  EXPECT_NEAR(refined_grid_limit({.law = DistanceWeight::Law::inverse_one_plus_square}).value(),
              8.585, 0.0005);
  EXPECT_NEAR(refined_grid_limit({.law = DistanceWeight::Law::inverse_square_one_plus}).value(),
              32.8, 0.05);
  EXPECT_FALSE(refined_grid_limit({.law = DistanceWeight::Law::inverse_square_cap}));
}

TEST(Claims, GridsGetEveryVerdict) {
  const auto verdicts = [](const std::vector<GridPoint>& points) {
    const Claims claims = grid_claims(points);
    return std::pair(claims.at(0).verdict, claims.at(1).verdict);
  };
  EXPECT_EQ(verdicts(grids(8.5, 31)), std::pair(kInPart, kHolds));
  EXPECT_EQ(verdicts(grids(30, 20)), std::pair(kDoesNotHold, kInPart));
  EXPECT_EQ(verdicts(grids(8.5, 33)), std::pair(kInPart, kDoesNotHold));
}

// Numbers like those of the real comparison, of which a test changes some.
struct MadeComparison {
  double exp3 = 400;
  double wix = 60;
  double ivx = 60;
  std::vector<double> ixb = {280, 160, 150, 200};  // at eps 0, 0.4, 0.6, 1
  std::vector<double> ixt = {90, 70, 80, 160};

  void add(std::vector<FinalRegret>& rows, std::optional<double> rate) const {
    rows.push_back({"exp3", rate, std::nullopt, exp3});
    rows.push_back({"exp3-wix", rate, std::nullopt, wix});
    rows.push_back({"exp3-ivx", rate, std::nullopt, ivx});
    const std::vector<double> thresholds = {0, 0.4, 0.6, 1};
    for (std::size_t i = 0; i < thresholds.size(); ++i) {
      rows.push_back({"exp3-ixb", rate, thresholds[i], ixb[i]});
      rows.push_back({"exp3-ixt", rate, thresholds[i], ixt[i]});
    }
  }
};

struct MadePanels {
  MadeComparison adaptive;
  MadeComparison slow;
  MadeComparison fast;
  MadeComparison noisy_fast;
  double sharp = 30;
  double ivc = 20;
  double attained_at = 1;  // the threshold of alpha*

  // None if there is no such claim.
  std::optional<Verdict> verdict(const std::string& beginning,
                                 const std::string& ending = "") const {
    std::vector<FinalRegret> usual = {{"exp3-wix sharp", std::nullopt, std::nullopt, sharp},
                                      {"exp3-ivc", std::nullopt, std::nullopt, ivc},
                                      {"tsallis-ivc", std::nullopt, std::nullopt, ivc}};
    adaptive.add(usual, std::nullopt);
    slow.add(usual, 0.01);
    fast.add(usual, 0.1);
    std::vector<FinalRegret> noisy;
    noisy_fast.add(noisy, 0.1);
    std::optional<Verdict> found;
    for (const Report::Claim& claim : comparison_claims(usual, noisy, number(9, attained_at))) {
      if (claim.claim.starts_with(beginning) && claim.claim.ends_with(ending)) {
        EXPECT_FALSE(found) << "two claims of that name";
        found = claim.verdict;
      }
    }
    return found;
  }
};

TEST(Claims, TheClaimAboutTheComparedGraphHoldsOnlyAtThresholdOne) {
  MadePanels made;
  EXPECT_EQ(made.verdict("The comparison's graph"), kHolds);
  made.attained_at = 0.75;
  EXPECT_EQ(made.verdict("The comparison's graph"), kDoesNotHold);
}

TEST(Claims, TheConsistencyOfWixGetsEveryVerdictInItsPanel) {
  const std::string claim = "exp3-wix is as good";
  MadePanels made;
  made.fast.wix = 75;  // 70 is the best of the others: 10 % more is about the same
  made.slow.wix = 85;  // better than the others' medians, 200 and 90
  made.adaptive.wix = 95;
  EXPECT_EQ(made.verdict(claim, "static rate 0.1"), kHolds);
  EXPECT_EQ(made.verdict(claim, "static rate 0.01"), kInPart);
  EXPECT_EQ(made.verdict(claim, "adaptive rates"), kDoesNotHold);
}

TEST(Claims, ModerateThresholdsGetEveryVerdict) {
  const std::string claim = "exp3-ixb and exp3-ixt are good";
  MadePanels made;
  EXPECT_EQ(made.verdict(claim, "R = 1"), kHolds);
  made.fast.ixt.front() = 75;  // the regret does not rise towards threshold 0
  EXPECT_EQ(made.verdict(claim, "R = 1"), kInPart);
  EXPECT_EQ(made.verdict(claim, "R = 2"), kHolds);
  made.noisy_fast.ixt = {70, 70, 70, 70};
  made.noisy_fast.ixb = {150, 150, 150, 150};
  EXPECT_EQ(made.verdict(claim, "R = 2"), kDoesNotHold);
}

TEST(Claims, BeatingExp3GetsEveryVerdict) {
  MadePanels made;
  EXPECT_EQ(made.verdict("exp3 is much worse"), kHolds);
  EXPECT_EQ(made.verdict("exp3-ixb does well"), kHolds);
  made.slow.exp3 = 110;  // the better of its rates counts
  EXPECT_EQ(made.verdict("exp3 is much worse"), kInPart);
  EXPECT_EQ(made.verdict("exp3-ixb does well"), kDoesNotHold);
  made.slow.exp3 = 160;
  EXPECT_EQ(made.verdict("exp3-ixb does well"), kInPart);
  made.slow.exp3 = 50;
  EXPECT_EQ(made.verdict("exp3 is much worse"), kDoesNotHold);
}

TEST(Claims, TheLearnersOfThisProjectGetEveryVerdict) {
  MadePanels made;
  made.adaptive.wix = 100;
  made.adaptive.ivx = 70;
  made.sharp = 70;
  EXPECT_EQ(made.verdict("Adaptive rates: sharp"), kHolds);
  made.sharp = 80;
  EXPECT_EQ(made.verdict("Adaptive rates: sharp"), kInPart);
  made.adaptive.ivx = 100;
  EXPECT_EQ(made.verdict("Adaptive rates: sharp"), kDoesNotHold);
  made.ivc = 35;
  EXPECT_EQ(made.verdict("Adaptive rates: exp3-ivc"), kHolds);
  made.ivc = 36;
  EXPECT_EQ(made.verdict("Adaptive rates: exp3-ivc"), kInPart);
  made.ivc = 51;
  EXPECT_EQ(made.verdict("Adaptive rates: exp3-ivc"), kDoesNotHold);
}

TEST(Claims, TheBestRatesGetEveryVerdict) {
  const auto verdict = [](double best_of_exp3, double best_of_wix) {
    std::vector<FinalRegret> rows = {{"exp3-ivc", std::nullopt, std::nullopt, 1}};
    for (const double rate : {0.003, 0.01, 0.03, 0.1, 0.3}) {
      rows.push_back({"exp3", rate, std::nullopt, rate == best_of_exp3 ? 1.0 : 2.0});
      rows.push_back({"exp3-wix", rate, std::nullopt, rate == best_of_wix ? 1.0 : 2.0});
      rows.push_back({"exp3-ivx", rate, std::nullopt, rate == best_of_wix ? 1.0 : 2.0});
    }
    return rate_claims(rows).at(0).verdict;
  };
  EXPECT_EQ(verdict(0.01, 0.1), kHolds);
  EXPECT_EQ(verdict(0.03, 0.3), kHolds);  // the neighbours of these rates in the sweep are accepted
  EXPECT_EQ(verdict(0.1, 0.1), kInPart);
  EXPECT_EQ(verdict(0.3, 0.01), kDoesNotHold);

  const auto of_ivx = [](double ivx) {
    return rate_claims(std::vector<FinalRegret>{{"exp3-wix", 0.1, std::nullopt, 100},
                                                {"exp3-ivx", 0.1, std::nullopt, ivx},
                                                {"exp3-ivc", std::nullopt, std::nullopt, 1}})
        .at(1)
        .verdict;
  };
  EXPECT_EQ(of_ivx(105), kHolds);
  EXPECT_EQ(of_ivx(120), kInPart);
  EXPECT_EQ(of_ivx(130), kDoesNotHold);

  // The best static rate of exp3-wix counts.
  const auto of_ivc = [](double ivc) {
    return rate_claims(std::vector<FinalRegret>{{"exp3-wix", 0.1, std::nullopt, 100},
                                                {"exp3-wix", 0.3, std::nullopt, 90},
                                                {"exp3-ivx", 0.1, std::nullopt, 100},
                                                {"exp3-ivc", std::nullopt, std::nullopt, ivc}})
        .at(2)
        .verdict;
  };
  EXPECT_EQ(of_ivc(107), kHolds);
  EXPECT_EQ(of_ivc(110), kInPart);
  EXPECT_EQ(of_ivc(136), kDoesNotHold);
}

TEST(Claims, TheClaimAboutCertificatesHoldsOnlyIfTheRegretIsBelowThemAtEveryPoint) {
  const Claims claims = certificate_claims(std::vector<BoundedRegret>{
      {"exp3-wix", false, 1, 10, 20},
      {"exp3-wix", false, 2, 20, 20},
      {"exp3-wix sharp", true, 1, 21, 20},
      {"exp3-wix sharp", true, 2, 10, 20},
      {"exp3-ivx", true, 1, 10, std::nullopt},
      {"exp3-ivx", true, 2, 10, std::nullopt},
  });
  ASSERT_EQ(claims.size(), 3U);
  EXPECT_EQ(claims[0].verdict, kHolds);
  EXPECT_EQ(claims[1].verdict, kDoesNotHold);
  EXPECT_EQ(claims[2].verdict, kDoesNotHold);
  EXPECT_EQ(claims[1].measured, "below at 1 of 2 points; regret 10, bound 20 at the end");
  EXPECT_EQ(claims[0].paper, "the bound of its theorem, evaluated for each run");
  EXPECT_EQ(claims[2].paper, "not in the paper: ours");
}

}  // namespace
}  // namespace hearsay::reproduce
