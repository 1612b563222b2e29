// Compares the learners that see the graph before they draw (exp3-dom, ucb-maxn) with plain
// formulas of docs/learners.md in long double.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/certificate/regret_account.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/exp3_dom.h"
#include "tests/every_learner.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Real = long double;
using Reals = std::vector<Real>;
using Rows = std::vector<std::vector<double>>;

std::vector<double> as_vector(std::span<const double> numbers) {
  return {numbers.begin(), numbers.end()};
}

// --- exp3-dom ------------------------------------------------------------------------------------

bool dominates(const Rows& s, const std::vector<Arm>& set) {
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (std::ranges::none_of(set, [&](Arm j) { return j == i || s[j][i] == 1; })) {
      return false;
    }
  }
  return true;
}

TEST(GreedyDominatingSet, ShowsEveryArmAndTakesTheArmThatShowsMost) {
  RandomSource dice(1);
  for (int k = 0; k < 200; ++k) {
    const std::size_t n = 1 + dice.below(8);
    const Graph graph = random_graph(dice, n);
    const Rows s = rows_of(graph);
    std::vector<Arm> set;
    for (const Arm arm : greedy_dominating_set(graph)) {
      EXPECT_FALSE(dominates(s, set)) << "nothing is left to be shown";
      const auto newly_shown = [&](Arm j) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const bool before =
              std::ranges::any_of(set, [&](Arm taken) { return taken == i || s[taken][i] == 1; });
          count += !before && (j == i || s[j][i] == 1) ? 1U : 0U;
        }
        return count;
      };
      for (Arm other = 0; other < n; ++other) {
        EXPECT_LE(newly_shown(other), newly_shown(arm) - (other < arm ? 1U : 0U));
      }
      set.push_back(arm);
    }
    EXPECT_TRUE(dominates(s, set));
  }
  EXPECT_EQ(greedy_dominating_set(make_complete({.arms = 5})), std::vector<Arm>{0});
  EXPECT_EQ(greedy_dominating_set(make_empty({.arms = 3})), (std::vector<Arm>{0, 1, 2}));
}

class PlainDom {
 public:
  explicit PlainDom(std::size_t n)
      : n_(n), log_n_(std::log(static_cast<Real>(n == 1 ? 2 : n))), totals_(n) {
    for (std::size_t size = 1; size <= n; size *= 2) {
      levels_.push_back({Reals(n), std::ceil(std::log2(4 * static_cast<Real>(size) * log_n_)), 0});
    }
  }

  Reals probabilities(const Graph& graph) {
    const std::vector<Arm> set = greedy_dominating_set(graph);
    level_ = 0;
    size_ = 1;
    while (2 * size_ <= static_cast<Real>(set.size())) {
      size_ *= 2;
      ++level_;
    }
    const Level& level = levels_[level_];
    const Real share = std::min(0.5L, std::sqrt(size_ * log_n_ / std::pow(2.0L, level.exponent)));
    const Real least = *std::ranges::min_element(level.sums);
    Reals p(n_);
    Real total = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      p[i] = std::exp(-share / size_ * (level.sums[i] - least));
      total += p[i];
    }
    for (Real& each : p) {
      each *= (1 - share) / total;
    }
    for (const Arm arm : set) {
      p[arm] += share / static_cast<Real>(set.size());
    }
    return p;
  }

  // Returns whether a stage ended.
  bool observe(const Reals& p, std::size_t played, const std::vector<double>& c, const Rows& s) {
    Level& level = levels_[level_];
    Real q = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      Real seen = 0;
      for (std::size_t j = 0; j < n_; ++j) {
        seen += s[j][i] == 1 ? p[j] : 0;
      }
      q += p[i] / seen;
      const Real estimate = s[played][i] == 1 ? c[i] / seen : 0;
      level.sums[i] += estimate;
      totals_[i] += estimate;
    }
    suffered_ += c[played];
    level.mass += 1 + q / (2 * size_);
    if (level.mass > std::pow(2.0L, level.exponent)) {
      level = {Reals(n_), level.exponent + 1, 0};
      return true;
    }
    return false;
  }

  // The losses suffered minus the least sum of estimates, over all levels and stages.
  Real estimated_bound() const { return suffered_ - *std::ranges::min_element(totals_); }

 private:
  struct Level {
    Reals sums;
    Real exponent;
    Real mass;
  };

  std::size_t n_;
  Real log_n_;
  std::vector<Level> levels_;
  std::size_t level_ = 0;
  Real size_ = 1;
  Real suffered_ = 0;
  Reals totals_;  // of the estimates
};

TEST(Exp3Dom, AgreesWithPlainFormulas) {
  RandomSource dice(2);
  int stages = 0;
  for (const std::size_t n : {1U, 2U, 5U, 9U}) {
    auto learner = make_learner({.name = "exp3-dom", .arms = n, .bounds = Bounds::all});
    PlainDom plain(n);
    for (int t = 0; t < 400; ++t) {
      // Graphs of several levels: some have arcs of weight 1, others none.
      const Graph graph = dice.chance(0.3) ? make_empty({.arms = n}) : random_graph(dice, n);
      const Rows s = rows_of(graph);
      informed_of(*learner)->see_graph(graph);
      const Reals p = plain.probabilities(graph);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_NEAR(probabilities_of(*learner)[i], static_cast<double>(p[i]), 1e-10) << t;
      }
      const Decision decision = learner->choose(Stream(n, Purpose::draw));
      std::vector<double> c(n);
      for (std::size_t i = 0; i < n; ++i) {
        const double weight = s[decision.arm][i];
        c[i] = weight * dice.uniform() + (1 - weight) * (2 * dice.uniform() - 1);
      }
      if (t == 100) {
        learner = restore_learner(learner->save());
      }
      learner->observe(decision, graph, {decision.arm, seen_of(c, s[decision.arm])});
      stages += plain.observe(p, decision.arm, c, s) ? 1 : 0;
      const RegretBound bound = certificate_of(*learner)->bounds.at(0);
      ASSERT_EQ(bound.name, "estimated");
      ASSERT_NEAR(bound.value.value(), static_cast<double>(plain.estimated_bound()), 1e-9) << t;
    }
  }
  EXPECT_GT(stages, 10);
}

TEST(Exp3Dom, TakesLateFeedbackOnTheLevelOfItsDraw) {
  const Graph complete = make_complete({.arms = 3});
  const Graph empty = make_empty({.arms = 3});
  const auto forward = make_learner({.name = "exp3-dom", .arms = 3});
  const auto backward = make_learner({.name = "exp3-dom", .arms = 3});
  const std::vector<Observation> seen_first = {{0, 0.25}, {1, 0.5}, {2, 1.0}};
  const std::vector<Observation> seen_second = {{1, 0.75}};
  for (Learner* learner : {forward.get(), backward.get()}) {
    informed_of(*learner)->see_graph(complete);
    const Decision first = learner->adopt(0);
    informed_of(*learner)->see_graph(empty);
    const Decision second = learner->adopt(1);
    if (learner == forward.get()) {
      learner->observe(first, complete, {0, seen_first});
      learner->observe(second, empty, {1, seen_second});
    } else {
      learner->observe(second, empty, {1, seen_second});
      learner->observe(first, complete, {0, seen_first});
    }
  }
  for (const Graph& graph : {complete, empty}) {
    informed_of(*forward)->see_graph(graph);
    informed_of(*backward)->see_graph(graph);
    EXPECT_TRUE(std::ranges::equal(probabilities_of(*forward), probabilities_of(*backward)));
  }
}

// At weight 1 an observation is the loss itself, so that 1.5 contradicts the model; at weight 0.5,
// -0.75 is only out of the range that noise bound 1 allows.
TEST(Exp3Dom, CountsObservationsOutOfRangeAndEndsItsBoundAtAnImpossibleLoss) {
  const Graph graph = Graph::dense(2, {1, 0.5, 0.5, 1});
  const auto learner = make_learner({.name = "exp3-dom", .arms = 2, .bounds = Bounds::all});
  const auto play = [&](double own, double other) {
    informed_of(*learner)->see_graph(graph);
    const std::vector<Observation> observations = {{0, own}, {1, other}};
    learner->observe(learner->adopt(0), graph, {0, observations});
    return certificate_of(*learner).value();
  };
  const Certificate noisy = play(0.5, -0.75);
  EXPECT_EQ(noisy.out_of_range, 1U);
  EXPECT_TRUE(noisy.bounds.at(0).value);
  const Certificate impossible = play(1.5, 0.25);
  EXPECT_EQ(impossible.out_of_range, 2U);
  EXPECT_EQ(impossible.bounds.at(0).failure, kLossOutOfRange);
  EXPECT_EQ(impossible.bounds.at(0).failed_in_round, 2U);
}

// Feedback that comes after the graph of the coming round was shown counts in the coming draw, so
// that a learner that is saved, restored and shown the graph again continues with the same bits.
TEST(InformedLearners, DrawFromAllFeedbackThatCameBeforeTheDraw) {
  const Graph graph = Graph::dense(3, {1, 1, 0.5, 0, 1, 0.25, 1, 0, 1});
  std::size_t informed = 0;
  for (const LearnerSpec& spec : every_learner(3)) {
    SCOPED_TRACE(spec.name);
    if (learner_row(spec.name).information != Information::graph_before_draw) {
      continue;
    }
    ++informed;
    const auto learner = make_learner(spec);
    informed_of(*learner)->see_graph(graph);
    const Decision late = learner->adopt(0);
    informed_of(*learner)->see_graph(graph);
    const std::vector<double> before = as_vector(probabilities_of(*learner));
    const std::vector<Observation> seen = {{0, 1.0}, {1, 0.0}, {2, 0.5}};
    learner->observe(late, graph, {0, seen});
    const auto restored = restore_learner(learner->save());
    informed_of(*restored)->see_graph(graph);
    const std::vector<double> after = as_vector(probabilities_of(*learner));
    EXPECT_EQ(after, as_vector(probabilities_of(*restored)));
    EXPECT_TRUE(before.empty() || before != after);
    const Stream stream(4, Purpose::draw);
    EXPECT_EQ(learner->choose(stream), restored->choose(stream));
  }
  EXPECT_GE(informed, 3U);
}

TEST(InformedLearners, RefuseToDecideBeforeTheySeeTheGraph) {
  for (const char* name : {"exp3-dom", "ucb-maxn"}) {
    const auto learner = make_learner({.name = name, .arms = 2});
    const Graph graph = make_empty({.arms = 2});
    EXPECT_EQ(learner->information(), Information::graph_before_draw);
    EXPECT_THROW(learner->choose(Stream(1, Purpose::draw)), Error) << name;
    EXPECT_THROW(informed_of(*learner)->see_graph(make_empty({.arms = 3})), Error);
    informed_of(*learner)->see_graph(graph);
    EXPECT_THROW(learner->adopt(2), Error);
    EXPECT_EQ(learner->adopt(1).arm, 1U);
    EXPECT_THROW(learner->adopt(1), Error) << "the graph of the second round is missing";
    EXPECT_NE(learner_row(name).summary.find("informed"), std::string::npos);
  }
}

// --- ucb-maxn ------------------------------------------------------------------------------------

TEST(UcbMaxn, PlaysTheLeastMeanAmongTheArmsThatShowTheArmOfUcbN) {
  RandomSource dice(3);
  int rounds_with_another_arm = 0;
  for (const std::size_t n : {1U, 2U, 5U}) {
    for (const double r : {0.0, 1.0}) {
      auto learner = make_learner({.name = "ucb-maxn", .arms = n, .noise_bound = r});
      Reals precision(n);
      Reals weighted_sum(n);
      const auto inverse_variance = [&](Real s) {
        return s < 1e-6L ? 0 : 1 / (0.25L + r * r * (1 - s) * (1 - s) / (s * s));
      };
      for (std::uint64_t t = 1; t <= 300; ++t) {
        const Graph graph = random_graph(dice, n);
        Arm arm_of_ucb_n = 0;
        Real least = std::numeric_limits<Real>::infinity();
        for (Arm i = 0; i < n; ++i) {
          const Real index = precision[i] == 0
                                 ? -1e9L + i
                                 : weighted_sum[i] / precision[i] -
                                       std::sqrt(8 * std::log(static_cast<Real>(t)) / precision[i]);
          if (index < least) {
            least = index;
            arm_of_ucb_n = i;
          }
        }
        Arm expected = arm_of_ucb_n;
        for (Arm j = 0; j < n && precision[arm_of_ucb_n] > 0; ++j) {
          const bool shows =
              inverse_variance(graph.weight(j, arm_of_ucb_n)) >= inverse_variance(1) / 2;
          const auto mean = [&](Arm arm) { return weighted_sum[arm] / precision[arm]; };
          expected = shows && mean(j) < mean(expected) ? j : expected;
        }
        rounds_with_another_arm += expected != arm_of_ucb_n ? 1 : 0;
        informed_of(*learner)->see_graph(graph);
        const Decision decision = learner->choose(Stream(1, Purpose::draw));
        ASSERT_EQ(decision.arm, expected) << "round " << t;
        std::vector<Observation> seen;
        for (Arm i = 0; i < n; ++i) {
          const double s = graph.weight(decision.arm, i);
          if (s > 0) {
            const double loss = dice.chance(0.3 + 0.1 * i) ? 1 : 0;
            seen.push_back({i, s * loss + (1 - s) * r * (2 * dice.uniform() - 1)});
            precision[i] += inverse_variance(s);
            weighted_sum[i] += seen.back().value / s * inverse_variance(s);
          }
        }
        learner->observe(decision, graph, {decision.arm, seen});
        if (t == 150) {
          learner = restore_learner(learner->save());
        }
      }
    }
  }
  EXPECT_GT(rounds_with_another_arm, 50);
  EXPECT_FALSE(certificate_of(*make_learner({.name = "ucb-maxn", .arms = 3})));
}

}  // namespace
}  // namespace hearsay
