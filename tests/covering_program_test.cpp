#include "hearsay/learner/covering_program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "tests/message_of.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Real = long double;
using Reals = std::vector<Real>;
using Rows = std::vector<std::vector<double>>;
using Point = std::array<double, 3>;

double determinant(const std::array<Point, 3>& m) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

// The least cost over all vertices of the feasible set: points where three of the six constraints
// row * x >= right_side are tight.
double least_cost(const Point& costs, const std::array<Point, 6>& rows,
                  const std::array<double, 6>& right_side) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = a + 1; b < 6; ++b) {
      for (std::size_t c = b + 1; c < 6; ++c) {
        const std::array<Point, 3> m = {rows[a], rows[b], rows[c]};
        const double scale = determinant(m);
        if (std::abs(scale) < 1e-9) {
          continue;
        }
        Point x = {};
        for (std::size_t k = 0; k < 3; ++k) {  // Cramer's rule
          std::array<Point, 3> replaced = m;
          replaced[0][k] = right_side[a];
          replaced[1][k] = right_side[b];
          replaced[2][k] = right_side[c];
          x[k] = determinant(replaced) / scale;
        }
        bool feasible = true;
        for (std::size_t i = 0; i < 6; ++i) {
          const double value = rows[i][0] * x[0] + rows[i][1] * x[1] + rows[i][2] * x[2];
          feasible = feasible && value >= right_side[i] - 1e-9 * (1 + std::abs(right_side[i]));
        }
        if (feasible) {
          least = std::min(least, costs[0] * x[0] + costs[1] * x[1] + costs[2] * x[2]);
        }
      }
    }
  }
  return least;
}

TEST(CoveringProgram, SolutionHasTheLeastCostOfAllVertices) {
  if (!has_covering_solver()) {
    const std::vector<double> one = {1.0};
    const std::vector<CoveringEntry> entries = {{0, 0, 1.0}};
    EXPECT_THROW(cheapest_cover(one, one, entries), Error);
    return;
  }
  RandomSource dice(1);
  for (int k = 0; k < 500; ++k) {
    std::vector<double> costs(3);
    std::vector<double> demands(3);
    std::vector<CoveringEntry> entries;
    std::array<Point, 6> rows = {{{}, {}, {}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    std::array<double, 6> right_side = {};
    for (std::size_t i = 0; i < 3; ++i) {
      costs[i] = std::pow(10, -2 * dice.uniform());
      right_side[i] = demands[i] = std::pow(10, 4 * dice.uniform());
    }
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (j == i || dice.chance(0.6)) {
          entries.push_back({j, i, 0.1 + 4 * dice.uniform()});
          rows[i][j] = entries.back().amount;
        }
      }
    }
    const std::vector<double> x = cheapest_cover(costs, demands, entries);
    double cost = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      cost += costs[i] * x[i];
      EXPECT_GE(x[i], 0);
      EXPECT_GE(rows[i][0] * x[0] + rows[i][1] * x[1] + rows[i][2] * x[2], demands[i] * (1 - 1e-7));
    }
    const double least = least_cost({costs[0], costs[1], costs[2]}, rows, right_side);
    EXPECT_NEAR(cost, least, 1e-6 * least);
  }
}

// The solver calls should_stop in every iteration.
TEST(CoveringProgram, AProgramOfManyArmsIsSolvedAndCanBeInterrupted) {
  if (!has_covering_solver()) {
    GTEST_SKIP() << "this build has no solver";
  }
  constexpr std::size_t kArms = 300;
  RandomSource dice(3);
  std::vector<double> costs(kArms);
  std::vector<double> demands(kArms);
  std::vector<CoveringEntry> entries;
  std::ranges::generate(costs, [&] { return 0.05 + dice.uniform(); });
  std::ranges::generate(demands, [&] { return 1 + 10 * dice.uniform(); });
  for (std::size_t by = 0; by < kArms; ++by) {
    for (std::size_t of = 0; of < kArms; ++of) {
      entries.push_back({by, of, by == of ? 4 : 0.01 + 4 * dice.uniform() * dice.uniform()});
    }
  }
  const std::vector<double> x = cheapest_cover(costs, demands, entries);
  std::vector<double> covered(kArms);
  for (const CoveringEntry& entry : entries) {
    covered[entry.of] += x[entry.by] * entry.amount;
  }
  for (std::size_t i = 0; i < kArms; ++i) {
    EXPECT_GE(covered[i], demands[i] * (1 - 1e-7));
  }
  int calls = 0;
  const Interruption interruption([&] { return ++calls > 3; });
  EXPECT_THROW(cheapest_cover(costs, demands, entries), Interrupted);
  EXPECT_EQ(calls, 4);
}

TEST(CoveringProgram, LearnersThatNeedItAreRefusedByABuildWithoutASolver) {
  for (const char* name : {"elp", "gaussian-lp"}) {
    const std::string expected =
        has_covering_solver() ? ""
                              : std::string("learner: '") + name +
                                    "' is not in this build, expected a build with Clp (Debian's "
                                    "coinor-libclp-dev)";
    const LearnerSpec spec{.name = name, .arms = 3};
    EXPECT_EQ(message_of([&] { make_learner(spec); }), expected);
    EXPECT_EQ(learner_row(name).unavailable.empty(), has_covering_solver());
  }
}

// --- elp -----------------------------------------------------------------------------------------

// Graphs whose best mixing distribution u is unique and known, with the probability z at which
// every arm is seen.
struct BestMixing {
  Graph graph;
  Reals u;
  Real z;
};

std::vector<BestMixing> graphs_with_best_mixing() {
  std::vector<Arc> cycle;
  std::vector<Arc> star;
  for (Arm i = 0; i < 5; ++i) {
    cycle.push_back({i, (i + 1) % 5, 1.0});
    if (i > 0) {
      star.push_back({0, i, 1.0});
      star.push_back({i, 0, 0.75});  // not 1, so elp ignores this arc
    }
  }
  return {{make_empty({.arms = 5}), Reals(5, 0.2L), 0.2L},
          {Graph::sparse(5, cycle), Reals(5, 0.2L), 0.4L},
          {Graph::sparse(5, star), {1, 0, 0, 0, 0}, 1}};
}

TEST(Elp, AgreesWithPlainFormulas) {
  if (!has_covering_solver()) {
    GTEST_SKIP() << "this build has no solver";
  }
  RandomSource dice(2);
  const std::vector<BestMixing> graphs = graphs_with_best_mixing();
  auto learner = make_learner({.name = "elp", .arms = 5});
  Reals sums(5);
  Real q_sum = 0;
  for (int t = 0; t < 400; ++t) {
    const auto& [graph, u, z] = graphs[dice.below(3)];
    const Rows s = rows_of(graph);
    const Real rate = std::sqrt(std::log(5.0L) / (5 + q_sum));
    const Real share = std::min(0.5L, rate / z);
    Reals p(5);
    Real total = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      p[i] = std::exp(-rate * (sums[i] - *std::ranges::min_element(sums)));
      total += p[i];
    }
    informed_of(*learner)->see_graph(graph);
    for (std::size_t i = 0; i < 5; ++i) {
      p[i] = (1 - share) * p[i] / total + share * u[i];
      ASSERT_NEAR(probabilities_of(*learner)[i], static_cast<double>(p[i]), 1e-9) << t;
    }
    const Decision decision = learner->choose(Stream(1, Purpose::draw));
    std::vector<double> c(5);
    for (std::size_t i = 0; i < 5; ++i) {
      const double weight = s[decision.arm][i];
      c[i] = weight * dice.uniform() + (1 - weight) * (2 * dice.uniform() - 1);
    }
    if (t == 200) {
      learner = restore_learner(learner->save());
    }
    learner->observe(decision, graph, {decision.arm, seen_of(c, s[decision.arm])});
    for (std::size_t i = 0; i < 5; ++i) {
      Real seen = 0;
      for (std::size_t j = 0; j < 5; ++j) {
        seen += s[j][i] == 1 ? p[j] : 0;
      }
      q_sum += p[i] / seen;
      sums[i] += s[decision.arm][i] == 1 ? c[i] / seen : 0;
    }
  }
  EXPECT_FALSE(certificate_of(*learner)->regret_bound);
}

// --- gaussian-lp ---------------------------------------------------------------------------------

// On a graph without arcs the solution of the program is known: an arm covers itself alone, with
// precision 4. So the whole rule takes a few lines.
TEST(GaussianLp, AgreesWithThePlainRuleWhereTheProgramHasAClosedForm) {
  if (!has_covering_solver()) {
    GTEST_SKIP() << "this build has no solver";
  }
  RandomSource dice(3);
  for (const std::size_t n : {1U, 2U, 4U}) {
    const Graph graph = make_empty({.arms = n});
    auto learner = make_learner({.name = "gaussian-lp", .arms = n});
    Reals sums(n);
    std::vector<std::uint64_t> plays(n);
    std::uint64_t explored = 0;
    Reals solution;
    Reals solved_means;
    std::uint64_t solved_in = 0;
    // The number of rounds in which each part of the rule chose the arm.
    struct {
      int unseen = 0;        // an arm that has not been seen
      int best = 0;          // all demands are met: the arm with the least mean
      int least_played = 0;  // an arm that has been played too rarely
      int by_program = 0;    // an arm that the solution of the program demands, or the best
    } rounds;
    for (std::uint64_t t = 1; t <= 3000; ++t) {
      const auto unseen = std::ranges::find(plays, 0U);
      std::size_t expected = 0;
      bool explores = false;
      if (unseen != plays.end()) {
        expected = static_cast<std::size_t>(unseen - plays.begin());
        ++rounds.unseen;
      } else {
        Reals means(n);
        for (std::size_t i = 0; i < n; ++i) {
          means[i] = sums[i] / static_cast<Real>(plays[i]);
        }
        const std::size_t best =
            static_cast<std::size_t>(std::ranges::min_element(means) - means.begin());
        Reals gaps(n);
        Real smallest = 1;
        for (std::size_t i = 0; i < n; ++i) {
          gaps[i] = std::clamp(means[i] - means[best], 0.01L, 1.0L);
          smallest = i == best ? smallest : std::min(smallest, gaps[i]);
        }
        const Real scale = 4 * 2.1L * std::log(static_cast<Real>(t));
        Reals demands(n);
        bool demands_met = true;
        for (std::size_t i = 0; i < n; ++i) {
          demands[i] = 2 / (i == best ? smallest * smallest : gaps[i] * gaps[i]);
          demands_met = demands_met && static_cast<Real>(4 * plays[i]) / scale >= demands[i];
        }
        const std::size_t least =
            static_cast<std::size_t>(std::ranges::min_element(plays) - plays.begin());
        if (demands_met || n == 1) {
          expected = best;
          ++rounds.best;
        } else if (static_cast<Real>(4 * plays[least]) <
                   std::sqrt(static_cast<Real>(explored)) / static_cast<Real>(n)) {
          expected = least;
          explores = true;
          ++rounds.least_played;
        } else {
          bool outdated = solved_in == 0 || t >= 2 * solved_in;
          for (std::size_t i = 0; i < n && !outdated; ++i) {
            outdated = std::abs(means[i] - solved_means[i]) > gaps[i] / 10;
          }
          if (outdated) {
            solved_in = t;
            solved_means = means;
            solution.assign(n, 0);
            for (std::size_t i = 0; i < n; ++i) {
              solution[i] = demands[i] / 4;
            }
          }
          expected = best;
          for (std::size_t i = n; i-- > 0;) {
            if (static_cast<Real>(plays[i]) < scale * solution[i]) {
              expected = i;
              explores = true;
            }
          }
          ++rounds.by_program;
        }
      }
      informed_of(*learner)->see_graph(graph);
      const Decision decision = learner->choose(Stream(1, Purpose::draw));
      ASSERT_EQ(decision.arm, expected) << n << " arms, round " << t;
      const double loss =
          dice.chance(0.2 + 0.7 * static_cast<double>(decision.arm > 0 ? 1 : 0)) ? 1 : 0;
      const std::vector<Observation> seen = {{decision.arm, loss}};
      if (t % 100 == 0) {
        learner = restore_learner(learner->save());
      }
      learner->observe(decision, graph, {decision.arm, seen});
      sums[decision.arm] += loss;
      ++plays[decision.arm];
      explored += explores ? 1U : 0U;
    }
    EXPECT_GT(rounds.best, 100) << n;
    EXPECT_TRUE(n == 1 || rounds.by_program > 100) << n;
  }
  EXPECT_FALSE(certificate_of(*make_learner({.name = "gaussian-lp", .arms = 3})));
}

// An arm that shows all others precisely is played to explore, although it is the worst arm itself.
TEST(GaussianLp, ExploresByTheArmThatShowsTheOthersBest) {
  if (!has_covering_solver()) {
    GTEST_SKIP() << "this build has no solver";
  }
  std::vector<Arc> arcs;
  for (Arm i = 1; i < 6; ++i) {
    arcs.push_back({0, i, 1.0});
  }
  const Graph graph = Graph::sparse(6, arcs);
  const auto learner = make_learner({.name = "gaussian-lp", .arms = 6});
  std::vector<int> plays(6);
  for (int t = 0; t < 2000; ++t) {
    informed_of(*learner)->see_graph(graph);
    const Decision decision = learner->choose(Stream(1, Purpose::draw));
    std::vector<Observation> seen;
    for (Arm i = 0; i < 6; ++i) {
      if (graph.weight(decision.arm, i) == 1) {
        seen.push_back({i, i == 0 ? 0.9 : (i == 3 ? 0.25 : 0.75)});
      }
    }
    learner->observe(decision, graph, {decision.arm, seen});
    ++plays[decision.arm];
  }
  EXPECT_GT(plays[3], 1000) << "the best arm";
  EXPECT_GT(plays[0], 20) << "it shows the others";
  EXPECT_LT(plays[1] + plays[2] + plays[4] + plays[5], plays[0]);
}

}  // namespace
}  // namespace hearsay
