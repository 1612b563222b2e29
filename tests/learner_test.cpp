// The promises of learner.h, and the cases in which different learners must agree.

#include "hearsay/learner/learner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "tests/message_of.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

std::vector<Observation> observe_all(const Graph& graph, Arm played, std::span<const double> losses,
                                     RandomSource& dice, double noise_bound = 1) {
  std::vector<Observation> seen;
  graph.for_each_seen(played, [&](Arm arm, double weight) {
    const double noise = noise_bound * (2 * dice.uniform() - 1);
    seen.push_back({arm, weight * losses[arm] + (1 - weight) * noise});
  });
  return seen;
}

std::vector<double> random_losses(RandomSource& dice, std::size_t n) {
  std::vector<double> losses(n);
  std::ranges::generate(losses, [&] { return dice.uniform(); });
  return losses;
}

// The distance of the sum of the probabilities from 1, computed in long double.
double distance_of_sum_from_one(std::span<const double> probabilities) {
  const long double sum = std::accumulate(probabilities.begin(), probabilities.end(), 0.0L);
  return static_cast<double>(std::abs(sum - 1));
}

// Gives both learners the same feedback and expects the same probabilities and estimates in every
// round. They may add up divisors in different orders, so the relative tolerance is 1e-12.
void expect_same_play(const LearnerSpec& a, const LearnerSpec& b, const std::vector<Graph>& graphs,
                      std::uint64_t seed) {
  RandomSource dice(seed);
  const auto first = make_learner(a);
  const auto second = make_learner(b);
  for (int t = 0; t < 50; ++t) {
    const Graph& graph = graphs[dice.below(graphs.size())];
    const Arm arm = static_cast<Arm>(dice.below(graph.arms()));
    const std::vector<double> losses = random_losses(dice, graph.arms());
    const std::vector<Observation> seen = observe_all(graph, arm, losses, dice);
    first->observe(first->adopt(arm), graph, {arm, seen});
    second->observe(second->adopt(arm), graph, {arm, seen});
    for (std::size_t i = 0; i < graph.arms(); ++i) {
      const double p = probabilities_of(*first)[i];
      const double estimate = last_round_of(*first)->estimates[i];
      ASSERT_NEAR(probabilities_of(*second)[i], p, 1e-12 * p) << a.name << " and " << b.name;
      ASSERT_NEAR(last_round_of(*second)->estimates[i], estimate, 1e-12 * std::abs(estimate))
          << a.name << " and " << b.name;
    }
  }
}

Graph binary_graph(RandomSource& dice, std::size_t n) {
  std::vector<Arc> arcs;
  for (Arm i = 0; i < n; ++i) {
    for (Arm j = 0; j < n; ++j) {
      if (i != j && dice.chance(0.4)) {
        arcs.push_back({i, j, 1});
      }
    }
  }
  return Graph::sparse(n, arcs);
}

TEST(Learners, AgreeOnGraphsOfWeightsZeroAndOne) {
  RandomSource dice(11);
  const std::size_t n = 6;
  std::vector<Graph> graphs;
  for (int k = 0; k < 5; ++k) {
    graphs.push_back(binary_graph(dice, n));
  }
  const LearnerSpec ix{.name = "exp3-ix", .arms = n, .rate = 0.05, .exploration = 0.02};
  const auto with_same_rates = [&](LearnerSpec spec) {
    spec.arms = n;
    spec.rate = ix.rate;
    spec.exploration = ix.exploration;
    return spec;
  };
  expect_same_play(ix, with_same_rates({.name = "exp3-wix"}), graphs, 1);
  expect_same_play(ix, with_same_rates({.name = "exp3-ivx"}), graphs, 1);
  expect_same_play(ix, with_same_rates({.name = "exp3-basic"}), graphs, 1);
  for (const double threshold : {1e-9, 0.3, 1.0}) {
    expect_same_play(ix, with_same_rates({.name = "exp3-ixb", .threshold = threshold}), graphs, 2);
    expect_same_play(ix, with_same_rates({.name = "exp3-ixt", .threshold = threshold}), graphs, 2);
  }
}

TEST(Learners, AgreeWithHedgeIfEveryLossIsSeen) {
  const std::size_t n = 5;
  const std::vector<Graph> complete = {Graph::dense(n, std::vector<double>(n * n, 1.0))};
  const LearnerSpec hedge{.name = "hedge", .arms = n, .rate = 0.3};
  for (const LearnerSpec& spec : std::vector<LearnerSpec>{
           {.name = "exp3-ix"},
           {.name = "exp3-ixb", .threshold = 0.5},
           {.name = "exp3-ixt", .threshold = 0.5},
           {.name = "exp3-wix"},
           {.name = "exp3-ivx"},
       }) {
    LearnerSpec with_same_rate = spec;
    with_same_rate.arms = n;
    with_same_rate.rate = 0.3;
    with_same_rate.exploration = 0;
    expect_same_play(hedge, with_same_rate, complete, 3);
  }
}

TEST(Learners, AgreeWithExp3IfOnlyTheArmPlayedIsSeen) {
  const std::size_t n = 5;
  const std::vector<Graph> no_arcs = {Graph::sparse(n, {})};
  const LearnerSpec exp3{.name = "exp3", .arms = n, .rate = 0.02, .exploration = 0.01};
  for (const LearnerSpec& spec : std::vector<LearnerSpec>{
           {.name = "exp3-ix"},
           {.name = "exp3-ixb", .threshold = 0.5},
           {.name = "exp3-ixt", .threshold = 0.5},
           {.name = "exp3-basic"},
           {.name = "exp3-wix"},
           {.name = "exp3-ivx"},
       }) {
    LearnerSpec with_same_rates = spec;
    with_same_rates.arms = n;
    with_same_rates.rate = exp3.rate;
    with_same_rates.exploration = exp3.exploration;
    expect_same_play(exp3, with_same_rates, no_arcs, 4);
  }
}

TEST(Learners, PlayTheSameIfArmsAreRenumbered) {
  const std::size_t n = 7;
  const std::vector<Arm> new_number = {3, 0, 6, 1, 5, 2, 4};
  for (const char* name : {"exp3", "exp3-ix", "exp3-basic", "exp3-wix", "exp3-ivx"}) {
    RandomSource dice(5);
    const auto learner = make_learner({.name = name, .arms = n});
    const auto renumbered = make_learner({.name = name, .arms = n});
    for (int t = 0; t < 40; ++t) {
      const std::vector<double> weights = random_weights(dice, n);
      std::vector<double> renumbered_weights(n * n);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          renumbered_weights[new_number[i] * n + new_number[j]] = weights[i * n + j];
        }
      }
      const Graph graph = Graph::dense(n, weights);
      const Decision decision = learner->choose(Stream(1, Purpose::draw));
      const Arm arm = decision.arm;
      const std::vector<Observation> seen = observe_all(graph, arm, random_losses(dice, n), dice);
      std::vector<Observation> renumbered_seen;
      for (const Observation& observation : seen) {
        renumbered_seen.push_back({new_number[observation.arm], observation.value});
      }
      std::ranges::sort(renumbered_seen, {}, &Observation::arm);
      learner->observe(decision, graph, {arm, seen});
      renumbered->observe(renumbered->adopt(new_number[arm]), Graph::dense(n, renumbered_weights),
                          {new_number[arm], renumbered_seen});
      for (std::size_t i = 0; i < n; ++i) {
        const double p = probabilities_of(*learner)[i];
        ASSERT_NEAR(probabilities_of(*renumbered)[new_number[i]], p, 1e-12 * p) << name;
      }
    }
  }
}

TEST(Learner, UsesTheProbabilitiesOfTheDraw) {
  const Graph graph = Graph::sparse(2, {});
  const auto learner = make_learner({.name = "exp3", .arms = 2, .rate = 1.0});
  const Decision early = learner->adopt(0);
  const Decision later = learner->adopt(1);
  const std::vector<Observation> seen_1 = {{1, 1.0}};
  learner->observe(later, graph, {1, seen_1});
  EXPECT_EQ(last_round_of(*learner)->estimates[1], 2.0);  // 1 / (1/2)
  EXPECT_GT(probabilities_of(*learner)[0], 0.8);
  const std::vector<Observation> seen_0 = {{0, 1.0}};
  learner->observe(early, graph, {0, seen_0});
  EXPECT_EQ(last_round_of(*learner)->estimates[0], 2.0);  // 1 / (1/2), not 1 / 0.88
}

TEST(Learner, TakesLateFeedbackInAnyOrder) {
  // An estimate depends only on its own draw, so the sums do not depend on the order.
  RandomSource dice(6);
  const std::size_t n = 4;
  const Graph graph = random_graph(dice, n);
  const LearnerSpec spec{.name = "exp3-wix", .arms = n, .rate = 0.1};
  const auto forward = make_learner(spec);
  const auto backward = make_learner(spec);
  std::vector<Decision> decisions;
  std::vector<std::vector<Observation>> seen;
  for (Arm arm = 0; arm < n; ++arm) {
    decisions.push_back(forward->adopt(arm));
    EXPECT_EQ(backward->adopt(arm), decisions.back());
    seen.push_back(observe_all(graph, arm, random_losses(dice, n), dice));
  }
  for (std::size_t k = 0; k < n; ++k) {
    forward->observe(decisions[k], graph, {decisions[k].arm, seen[k]});
    const std::size_t last = n - 1 - k;
    backward->observe(decisions[last], graph, {decisions[last].arm, seen[last]});
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(probabilities_of(*forward)[i], probabilities_of(*backward)[i], 1e-15);
  }
  EXPECT_TRUE(certificate_of(*forward)->regret_bound) << "late feedback does not end the bound";
}

TEST(Learner, StaysUnchangedWhenInputIsRefused) {
  RandomSource dice(7);
  const std::size_t n = 3;
  const Graph graph = Graph::dense(n, {1, 0.5, 0, 0.25, 1, 1, 0, 0, 1});
  const auto learner =
      make_learner({.name = "exp3-wix", .arms = n, .out_of_range = OutOfRange::refuse});
  const Decision finished = learner->adopt(0);
  const std::vector<Observation> good = {{0, 0.5}, {1, 0.25}};
  learner->observe(finished, graph, {0, good});
  const Decision outstanding = learner->adopt(0);
  const std::string before = learner->save();

  const auto refused = [&](const Decision& decision, const Graph& shown, Arm played,
                           const std::vector<Observation>& seen) {
    const std::string message = message_of([&] {
      learner->observe(decision, shown, {played, seen});
    });
    EXPECT_EQ(learner->save(), before) << message;
    return message;
  };
  EXPECT_EQ(refused(finished, graph, 0, good),
            "decision 1 is not outstanding: its feedback was given already, or it was forgotten");
  EXPECT_NE(refused({0, 0.5, 77}, graph, 0, good).find("77"), std::string::npos);
  EXPECT_NE(refused({1, 0.5, 2}, graph, 1, good), "");
  EXPECT_NE(refused(outstanding, graph, 1, good), "");
  EXPECT_NE(refused(outstanding, Graph::sparse(2, {}), 0, good), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, 0.5}}).find("arm 1 is missing"), std::string::npos);
  EXPECT_NE(refused(outstanding, graph, 0, {{1, 0.25}}).find("arm 0 is missing"),
            std::string::npos);
  EXPECT_NE(refused(outstanding, graph, 0, {{1, 0.25}, {0, 0.5}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, 0.5}, {0, 0.5}, {1, 0.25}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, 0.5}, {1, 0.25}, {3, 0.5}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, NAN}, {1, 0.25}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, INFINITY}, {1, 0.25}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, 1.1}, {1, 0.25}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, -0.1}, {1, 0.25}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, 0.5}, {1, 1.1}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, 0.5}, {1, -0.6}}), "");
  EXPECT_NE(refused(outstanding, graph, 0, {{0, 0.5}, {1, 0.25}, {2, 1.5}}), "");
  EXPECT_NE(message_of([&] { learner->adopt(3); }), "");
  EXPECT_EQ(learner->save(), before);
  learner->observe(outstanding, graph, {0, good});
  EXPECT_EQ(certificate_of(*learner)->rounds, 2U);
}

TEST(Learner, CountsObservationsOutOfRangeAndThenHasNoBound) {
  const Graph graph = Graph::sparse(2, {});
  const auto learner = make_learner({.name = "exp3-ivx", .arms = 2});
  const std::vector<Observation> good = {{0, 1.0}};
  learner->observe(learner->adopt(0), graph, {0, good});
  EXPECT_TRUE(certificate_of(*learner)->regret_bound);
  const std::vector<Observation> out_of_range = {{0, 1.01}};
  learner->observe(learner->adopt(0), graph, {0, out_of_range});
  EXPECT_EQ(certificate_of(*learner)->out_of_range, 1U);
  EXPECT_FALSE(certificate_of(*learner)->regret_bound);
}

TEST(Learner, ForgetsDecisionsAndDropsTheOldest) {
  const Graph graph = Graph::sparse(2, {});
  const auto learner = make_learner({.name = "exp3", .arms = 2, .max_outstanding = 3});
  const Decision forgotten = learner->adopt(0);
  learner->forget(forgotten);
  EXPECT_NE(message_of([&] { learner->forget(forgotten); }), "");
  const std::vector<Observation> seen = {{0, 1.0}};
  EXPECT_NE(message_of([&] { learner->observe(forgotten, graph, {0, seen}); }), "");

  std::vector<Decision> decisions;
  for (int k = 0; k < 5; ++k) {
    decisions.push_back(learner->adopt(0));
  }
  EXPECT_EQ(learner->outstanding(), 3U);
  EXPECT_NE(message_of([&] { learner->observe(decisions[1], graph, {0, seen}); }), "");
  learner->observe(decisions[2], graph, {0, seen});
  EXPECT_EQ(learner->outstanding(), 2U);
  EXPECT_EQ(certificate_of(*learner)->rounds, 1U);
}

TEST(Learner, StaysValidAtExtremeRates) {
  RandomSource dice(8);
  const std::size_t n = 5;
  for (const char* name : {"exp3", "exp3-ix", "exp3-basic", "exp3-wix", "exp3-ivx"}) {
    for (const double rate : {1e-12, 1e-6, 1.0, 1e3}) {
      const auto learner = make_learner({.name = name, .arms = n, .rate = rate});
      const Stream stream(1, Purpose::draw);
      const Graph graph = random_graph(dice, n);
      for (int t = 0; t < 2000; ++t) {
        const Decision decision = learner->choose(stream);
        ASSERT_GT(decision.probability, 0);
        const std::vector<Observation> seen =
            observe_all(graph, decision.arm, random_losses(dice, n), dice);
        learner->observe(decision, graph, {decision.arm, seen});
        const auto p = probabilities_of(*learner);
        ASSERT_LE(distance_of_sum_from_one(p), 1e-12);
        ASSERT_GE(std::ranges::min(p), 0);
      }
    }
  }
}

TEST(Learner, KeepsTheSumOfAMillionProbabilitiesAtOne) {
  const std::size_t n = 1'000'000;
  const auto learner = make_learner({.name = "exp3", .arms = n, .rate = 1e-3});
  const Graph graph = Graph::sparse(n, {});
  for (int t = 0; t < 3; ++t) {
    const Decision decision = learner->choose(Stream(1, Purpose::draw));
    const std::vector<Observation> seen = {{decision.arm, 1.0}};
    learner->observe(decision, graph, {decision.arm, seen});
    EXPECT_LE(distance_of_sum_from_one(probabilities_of(*learner)), 1e-12);
  }
}

TEST(Learner, RefusesAnEstimateTooLargeToBeAddedUp) {
  // The probability underflows to 0, and there is no exploration: the estimate is c / 0.
  const Graph graph = Graph::sparse(2, {});
  const auto learner = make_learner({.name = "exp3", .arms = 2, .rate = 1e3});
  const std::vector<Observation> seen = {{0, 1.0}};
  learner->observe(learner->adopt(0), graph, {0, seen});
  ASSERT_EQ(probabilities_of(*learner)[0], 0);
  const Decision impossible = learner->adopt(0);
  const std::string before = learner->save();
  EXPECT_NE(message_of([&] { learner->observe(impossible, graph, {0, seen}); }), "");
  EXPECT_EQ(learner->save(), before);
}

TEST(Catalogue, SaysWhichLearnersAreOurs) {
  EXPECT_TRUE(is_ours({.name = "exp3-ivx"}));
  EXPECT_FALSE(is_ours({.name = "exp3-wix"}));
  EXPECT_FALSE(is_ours({.name = "exp3-wix", .tuning = Tuning::paper}));
  EXPECT_TRUE(is_ours({.name = "exp3-wix", .tuning = Tuning::sharp}));
}

TEST(Catalogue, AnswersForTheDefaultLearnerIfTheSpecHasNoName) {
  EXPECT_TRUE(is_ours({}));
  EXPECT_FALSE(is_lazy({.arms = 100'000, .engine = Engine::automatic}));
  EXPECT_FALSE(has_lockstep({.arms = 2})) << "it learns the noise level";
  EXPECT_TRUE(has_lockstep({.arms = 2, .noise = NoiseLevel::known}));
}

TEST(Catalogue, FillsInTheDefaultsOfTheLearner) {
  const LearnerSpec wix = with_defaults({.name = "exp3-wix"});
  EXPECT_EQ(wix.delta, 1.0);
  EXPECT_EQ(wix.tuning, Tuning::paper);
  EXPECT_EQ(with_defaults({.name = "exp3-wix", .delta = 2}).delta, 2.0);
  EXPECT_EQ(with_defaults({.name = "exp3-ivx"}), (LearnerSpec{.name = "exp3-ivx"}));
}

TEST(Catalogue, NamesTheParameterThatIsWrong) {
  const auto refused = [](const LearnerSpec& spec) {
    return message_of([&] { make_learner(spec); });
  };
  struct Case {
    LearnerSpec spec;
    const char* place;
  };
  for (const auto& [spec, place] : std::vector<Case>{
           {{.name = "exp4", .arms = 2}, "learner: "},
           {{.name = "exp3", .arms = 0}, "arms: "},
           {{.name = "exp3", .arms = 2, .noise_bound = -1}, "noise_bound: "},
           {{.name = "exp3", .arms = 2, .noise_bound = NAN}, "noise_bound: "},
           {{.name = "exp3", .arms = 2, .rate = 0.0}, "rate: "},
           {{.name = "exp3", .arms = 2, .rate = -0.1}, "rate: "},
           {{.name = "exp3", .arms = 2, .rate = INFINITY}, "rate: "},
           {{.name = "exp3", .arms = 2, .exploration = -0.1}, "exploration: "},
           {{.name = "exp3", .arms = 2, .threshold = 0.5}, "threshold: "},
           {{.name = "exp3-ixb", .arms = 2}, "threshold: "},
           {{.name = "exp3-ixt", .arms = 2, .threshold = 1.5}, "threshold: "},
           {{.name = "exp3-wix", .arms = 2, .delta = 0.5}, "delta: "},
           {{.name = "exp3-ivx", .arms = 2, .delta = 1.0}, "delta: "},
           {{.name = "exp3-ivx", .arms = 2, .tuning = Tuning::sharp}, "tuning: "},
           {{.name = "uniform", .arms = 2, .rate = 0.1}, "rate: "},
           {{.name = "hedge", .arms = 2, .exploration = 0.1}, "exploration: "},
           {{.name = "exp3", .arms = 2, .max_outstanding = 0}, "max_outstanding: "},
       }) {
    EXPECT_EQ(refused(spec).rfind(place, 0), 0U) << refused(spec);
  }
}

}  // namespace
}  // namespace hearsay
