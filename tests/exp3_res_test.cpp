#include "hearsay/learner/exp3_res.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/environment/environment.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/run.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Real = long double;
using Reals = std::vector<Real>;

// A second implementation of the rule, which first draws the whole permutation from the same random
// numbers.
std::size_t plain_trials(Arm arm, Arm played, Real p, const std::vector<std::uint8_t>& shown,
                         const Stream& numbers) {
  const std::size_t n = shown.size();
  std::vector<Arm> remaining;
  for (Arm j = 0; j < n; ++j) {
    if (j != arm && j != played) {
      remaining.push_back(j);
    }
  }
  std::vector<Arm> order;
  for (std::size_t k = 1; !remaining.empty(); ++k) {
    const auto index = static_cast<std::size_t>(numbers.uniform(arm, 2 * k + 1) *
                                                static_cast<double>(remaining.size()));
    order.push_back(remaining[index]);
    std::swap(remaining[index], remaining.back());
    remaining.pop_back();
  }
  for (std::size_t k = 1; k < n; ++k) {
    if (numbers.uniform(arm, 2 * k) < p || (k <= order.size() && shown[order[k - 1]] != 0)) {
      return k;
    }
  }
  return n - 1;
}

TEST(Exp3Res, AgreesWithPlainFormulas) {
  RandomSource dice(1);
  for (const std::size_t n : {1U, 2U, 3U, 7U}) {
    auto learner = make_learner({.name = "exp3-res", .arms = n});
    const Stream draws(n, Purpose::draw);
    Reals sums(n);
    Real moments = 0;
    for (std::uint64_t t = 1; t <= 300; ++t) {
      const Graph graph = random_graph(dice, n);
      const auto s = rows_of(graph);
      const auto size = static_cast<Real>(n);
      const Real rate = std::sqrt(std::log(size) / (size * size + moments));
      Reals p(n);
      Real total = 0;
      for (std::size_t i = 0; i < n; ++i) {
        p[i] = std::exp(-rate * (sums[i] - *std::ranges::min_element(sums)));
        total += p[i];
      }
      for (std::size_t i = 0; i < n; ++i) {
        p[i] /= total;
        ASSERT_NEAR(probabilities_of(*learner)[i], static_cast<double>(p[i]), 1e-11) << t;
      }
      const Decision decision = learner->choose(draws);
      if (t % 50 == 0) {
        learner = restore_learner(learner->save());
      }
      std::vector<double> c(n);
      std::vector<std::uint8_t> shown(n);
      for (std::size_t i = 0; i < n; ++i) {
        const double weight = s[decision.arm][i];
        c[i] = weight * dice.uniform() + (1 - weight) * (2 * dice.uniform() - 1);
        shown[i] = weight == 1 ? 1 : 0;
      }
      learner->observe(decision, graph, {decision.arm, seen_of(c, s[decision.arm])});
      const Stream numbers(draws.bits(t, 1)[0], Purpose::draw);
      for (Arm i = 0; i < n; ++i) {
        const Real estimate =
            shown[i] == 0
                ? 0
                : static_cast<Real>(plain_trials(i, decision.arm, p[i], shown, numbers)) * c[i];
        ASSERT_NEAR(last_round_of(*learner)->estimates[i], static_cast<double>(estimate), 1e-11);
        sums[i] += estimate;
        moments += p[i] * estimate * estimate;
      }
    }
  }
}

// If every other arm is shown with probability r, a trial succeeds with q = p + (1 - p) r as long
// as there are arms left, and the mean number of at most n - 1 trials is (1 - (1 - q)^(n - 1)) / q.
TEST(Exp3Res, ResamplesTheMeanNumberOfTrials) {
  constexpr std::size_t kArms = 6;
  constexpr int kDraws = 40'000;
  const double p = 0.15;
  const double r = 0.3;
  RandomSource dice(2);
  for (const Arm played : {Arm{0}, Arm{3}}) {
    double sum = 0;
    double squares = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      std::vector<std::uint8_t> shown(kArms);
      for (std::uint8_t& each : shown) {
        each = dice.chance(r) ? 1 : 0;
      }
      const auto trials = static_cast<double>(resampled_trials(
          0, played, p, shown, Stream(static_cast<std::uint64_t>(draw), Purpose::test)));
      sum += trials;
      squares += trials * trials;
    }
    const double mean = sum / kDraws;
    const double error = std::sqrt((squares / kDraws - mean * mean) / kDraws);
    // P(K > k) = (1 - q)^k, for k of at most kArms - 2, for which enough other arms are left.
    const double q = p + (1 - p) * r;
    const double expected = (1 - std::pow(1 - q, kArms - 1)) / q;
    EXPECT_NEAR(mean, expected, 4 * error) << "played " << played;
  }
}

// Theorem 1 of its paper: if every other arm is shown with the same probability r in each round, at
// least log(T) / (2 N - 2), which is 0.44 here, then the mean regret is at most
// 2 sqrt((N^2 + T / r) log N) + sqrt(T). That is 292 here, and uniform play has 1,080.
TEST(Exp3Res, HasAtMostTheRegretOfItsTheoremOnDrawnGraphs) {
  constexpr std::size_t kArms = 10;
  constexpr std::uint64_t kRounds = 3000;
  constexpr double kShown = 0.5;
  constexpr std::uint64_t kRuns = 10;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t run_index = 1; run_index <= kRuns; ++run_index) {
    const auto environment =
        make_environment(losses::bernoulli({.arms = kArms, .gap = 0.4}, Stream(1, Purpose::losses)),
                         graphs::drawn(make_constant({.arms = kArms, .weight = kShown}),
                                       Stream(run_index, Purpose::graph)));
    const auto learner = make_learner({.name = "exp3-res", .arms = kArms});
    hearsay::Run run(*environment, *learner, {NoiseLaw::uniform, 1}, {.seed = run_index});
    run.steps(kRounds);
    sum += run.regret();
    squares += run.regret() * run.regret();
  }
  const double mean = sum / kRuns;
  const double error = std::sqrt((squares / kRuns - mean * mean) / (kRuns - 1));
  EXPECT_LT(mean + 4 * error, 2 * std::sqrt((kArms * kArms + kRounds / kShown) * std::log(kArms)) +
                                  std::sqrt(static_cast<double>(kRounds)));
}

TEST(Exp3Res, TakesLateFeedbackInAnyOrder) {
  const Graph graph = make_complete({.arms = 3});
  const std::vector<Observation> seen = {{0, 0.25}, {1, 0.5}, {2, 1.0}};
  const auto forward = make_learner({.name = "exp3-res", .arms = 3, .rate = 0.1});
  const auto backward = make_learner({.name = "exp3-res", .arms = 3, .rate = 0.1});
  for (Learner* learner : {forward.get(), backward.get()}) {
    const Decision first = learner->choose(Stream(1, Purpose::draw));
    const Decision second = learner->choose(Stream(1, Purpose::draw));
    for (const Decision& decision :
         learner == forward.get() ? std::vector{first, second} : std::vector{second, first}) {
      learner->observe(decision, graph, {decision.arm, seen});
    }
  }
  EXPECT_TRUE(std::ranges::equal(probabilities_of(*forward), probabilities_of(*backward)));
  EXPECT_FALSE(certificate_of(*forward));
}

// --- Random graphs, for which exp3-res is made ---------------------------------------------------

TEST(DrawnGraphs, HaveEachArcWithItsWeightAsProbability) {
  constexpr int kRounds = 20'000;
  RandomSource dice(3);
  const Graph probabilities = random_graph(dice, 5, 0.25);
  const auto sequence = graphs::drawn(probabilities, Stream(1, Purpose::graph));
  std::vector<std::vector<double>> frequency(5, std::vector<double>(5));
  double frequency_of_both = 0;  // how often two arcs of one row are both there
  for (int t = 0; t < kRounds; ++t) {
    const Graph& graph = sequence->next();
    for (Arm j = 0; j < 5; ++j) {
      for (Arm i = 0; i < 5; ++i) {
        ASSERT_TRUE(graph.weight(j, i) == 0 || graph.weight(j, i) == 1);
        frequency[j][i] += graph.weight(j, i) / kRounds;
      }
    }
    frequency_of_both += graph.weight(0, 1) * graph.weight(0, 2) / kRounds;
  }
  for (Arm j = 0; j < 5; ++j) {
    for (Arm i = 0; i < 5; ++i) {
      const double expected = i == j ? 1 : probabilities.weight(j, i);
      const double error = std::sqrt(expected * (1 - expected) / kRounds);
      EXPECT_NEAR(frequency[j][i], expected, 4.5 * error + 1e-9) << j << " -> " << i;
    }
  }
  EXPECT_NEAR(frequency_of_both, frequency[0][1] * frequency[0][2], 4.5 * 0.5 / std::sqrt(kRounds))
      << "the arcs must be independent";
}

TEST(DrawnGraphs, DoNotDependOnTheStorageAndContinueFromARound) {
  std::vector<Arc> arcs;
  RandomSource dice(4);
  for (Arm j = 0; j < 7; ++j) {
    arcs.push_back({j, (j + 3) % 7, dice.uniform()});
  }
  const Graph sparse = Graph::sparse(7, arcs);
  std::vector<double> weights;
  for (const auto& row : rows_of(sparse)) {
    weights.insert(weights.end(), row.begin(), row.end());
  }
  const auto of_sparse = graphs::drawn(sparse, Stream(5, Purpose::graph));
  const auto of_dense = graphs::drawn(Graph::dense(7, weights), Stream(5, Purpose::graph));
  const auto later = graphs::drawn(sparse, Stream(5, Purpose::graph));
  later->restore(10);
  for (int t = 0; t < 20; ++t) {
    const auto rows = rows_of(of_sparse->next());
    EXPECT_EQ(rows, rows_of(of_dense->next()));
    if (t >= 10) {
      EXPECT_EQ(rows, rows_of(later->next()));
    }
  }
}

}  // namespace
}  // namespace hearsay
