// Compares the lazy engine with the exact one.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/losses.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/run.h"
#include "tests/every_learner.h"

namespace hearsay {
namespace {

constexpr std::size_t kArms = 40;

// Every arm shows the next four, at different weights.
Graph ring(double weight_of_next = 0.3, double self_weight = 1) {
  std::vector<Arc> arcs;
  for (Arm played = 0; played < kArms; ++played) {
    arcs.push_back({played, played, self_weight});
    for (Arm step = 1; step <= 4; ++step) {
      arcs.push_back({played, static_cast<Arm>((played + step) % kArms),
                      step == 1 ? weight_of_next : 0.2 * step + 0.1});
    }
  }
  return Graph::sparse(kArms, arcs);
}

Graph dense(const Graph& graph) {
  std::vector<double> weights;
  for (Arm played = 0; played < graph.arms(); ++played) {
    for (Arm seen = 0; seen < graph.arms(); ++seen) {
      weights.push_back(graph.weight(played, seen));
    }
  }
  return Graph::dense(graph.arms(), weights);
}

// Every learner that has a lazy engine, at an adaptive and at a fixed rate, and with threshold 0.
std::vector<LearnerSpec> lazy_settings(std::size_t arms, double static_rate) {
  std::vector<LearnerSpec> specs = every_lazy_learner(arms);
  for (std::size_t i = 0, rows = specs.size(); i < rows; ++i) {
    if (specs[i].threshold) {
      LearnerSpec at_threshold_zero = specs[i];
      at_threshold_zero.threshold = 0;
      specs.push_back(at_threshold_zero);
    }
  }
  for (std::size_t i = 0, adaptive = specs.size(); i < adaptive; ++i) {
    LearnerSpec fixed = specs[i];
    fixed.rate = static_rate;
    specs.push_back(fixed);
  }
  return specs;
}

LearnerSpec with_exact_engine(LearnerSpec spec) {
  spec.engine = Engine::exact;
  return spec;
}

// Feedback of one round, a function of the arguments.
std::vector<Observation> feedback(const Graph& graph, Arm played, std::uint64_t round) {
  std::vector<double> losses(graph.arms());
  Stream(1, Purpose::losses).fill_uniform(round, losses);
  std::vector<Observation> observations;
  reveal(graph, played, losses, {}, Stream(1, Purpose::noise), round, observations);
  return observations;
}

void expect_engines_alike(const LearnerSpec& spec, const Graph& graph) {
  const Stream stream(1, Purpose::draw);
  const auto lazy = make_learner(spec);
  const auto reference = make_learner(with_exact_engine(spec));
  for (std::uint64_t t = 1; t <= 400; ++t) {
    const Decision decision = lazy->choose(stream);
    ASSERT_EQ(reference->choose(stream).arm, decision.arm);
    const std::vector<Observation> seen = feedback(graph, decision.arm, t);
    lazy->observe(decision, graph, {decision.arm, seen});
    reference->observe({decision.arm, 0, t}, graph, {decision.arm, seen});
    if (t % 100 == 1) {
      const RoundDetails lazy_details = last_round_of(*lazy).value();
      const RoundDetails exact_details = last_round_of(*reference).value();
      EXPECT_EQ(lazy_details.rate, exact_details.rate);
      EXPECT_EQ(lazy_details.exploration, exact_details.exploration);
      for (std::size_t i = 0; i < kArms; ++i) {
        // Rounding errors grow from round to round: an estimate contains 1 / probability, and an
        // error is multiplied by about rate / probability, here about 1.
        ASSERT_NEAR(probabilities_of(*lazy)[i], probabilities_of(*reference)[i], 1e-10);
        ASSERT_NEAR(lazy_details.probabilities[i], exact_details.probabilities[i], 1e-10);
        ASSERT_NEAR(lazy_details.estimates[i], exact_details.estimates[i],
                    1e-8 * (1 + std::abs(exact_details.estimates[i])));
      }
    }
  }
}

// At a fixed rate only Q is estimated, so the two engines agree up to rounding.
TEST(LazyWeights, MatchTheExactEngineAtAStaticRate) {
  const Graph with_weak_self = ring(0.3, 0.6);
  for (const LearnerSpec& spec : lazy_settings(kArms, 0.01)) {
    if (spec.rate) {
      SCOPED_TRACE(described(spec));
      expect_engines_alike(spec, ring());
      expect_engines_alike(spec, with_weak_self);
      expect_engines_alike(spec, dense(with_weak_self));
    }
  }
}

// Q of the exact engine, and its terms of the bound, are the means of those of the lazy engine over
// the arm drawn. The mean is computed over all arms, from the same state.
void expect_terms_without_bias(const LearnerSpec& spec) {
  SCOPED_TRACE(described(spec));
  const Graph graph = ring();
  const auto lazy = make_learner(spec);
  const auto reference = make_learner(with_exact_engine(spec));
  for (std::uint64_t t = 1; t <= 200; ++t) {
    const Decision decision = lazy->choose(Stream(1, Purpose::draw));
    const std::vector<Observation> seen = feedback(graph, decision.arm, t);
    lazy->observe(decision, graph, {decision.arm, seen});
    reference->observe(reference->adopt(decision.arm), graph, {decision.arm, seen});
  }
  const std::string state = lazy->save();
  const double bound = certificate_of(*lazy)->regret_bound.value();
  const std::vector<double> p(probabilities_of(*lazy).begin(), probabilities_of(*lazy).end());
  std::vector<double> q_of(kArms);
  std::vector<double> added_of(kArms);
  double probability_drawn = 0;
  for (std::uint64_t seed = 0; probability_drawn < 1 - 1e-9 && seed < 100'000; ++seed) {
    const auto copy = restore_learner(state);
    const Decision decision = copy->choose(Stream(seed, Purpose::draw));
    if (q_of[decision.arm] == 0) {
      copy->observe(decision, graph, {decision.arm, feedback(graph, decision.arm, 201)});
      q_of[decision.arm] = certificate_of(*copy)->q;
      added_of[decision.arm] = certificate_of(*copy)->regret_bound.value() - bound;
      probability_drawn += p[decision.arm];
    }
  }
  ASSERT_GE(probability_drawn, 1 - 1e-9);
  const double exact_bound = certificate_of(*reference)->regret_bound.value();
  reference->observe(reference->adopt(3), graph, {3, feedback(graph, 3, 201)});
  const double mean = std::inner_product(p.begin(), p.end(), q_of.begin(), 0.0);
  EXPECT_GT(*std::ranges::max_element(q_of), 1.2 * mean);  // the estimates are not all equal
  // Arms that were never drawn have a total probability below 1e-9, and no Q is far from the mean.
  EXPECT_NEAR(mean, certificate_of(*reference)->q, 1e-8 * mean);
  const double added = std::inner_product(p.begin(), p.end(), added_of.begin(), 0.0);
  EXPECT_NEAR(added, certificate_of(*reference)->regret_bound.value() - exact_bound, 1e-7 * added);
}

TEST(LazyWeights, EstimateQAndTheTermsOfTheBoundWithoutBias) {
  expect_terms_without_bias(
      {.name = "exp3-wix", .arms = kArms, .rate = 0.2, .exploration = 0.2, .engine = Engine::lazy});
  // At this rate some coverages are clipped, so that there is a bias.
  expect_terms_without_bias(
      {.name = "exp3-ivx-clip", .arms = kArms, .rate = 0.2, .engine = Engine::lazy});
}

// The entropy is computed only when the rate falls. The bound nevertheless equals the sum over all
// rounds, computed from the probabilities and the terms of each.
TEST(LazyWeights, ComputeTheEntropicBoundFromTheEntropiesWhenTheRateFalls) {
  const Graph graph = ring();
  auto lazy = make_learner({.name = "exp3-ivx-clip", .arms = kArms, .engine = Engine::lazy});
  double penalty = 0;
  double cost = 0;  // C * the sum of rate * Q, without the bias
  double last_inverse = 0;
  std::size_t falls = 0;
  for (std::uint64_t t = 1; t <= 3000; ++t) {
    const std::vector<double> p(probabilities_of(*lazy).begin(), probabilities_of(*lazy).end());
    const Decision decision = lazy->choose(Stream(1, Purpose::draw));
    lazy->observe(decision, graph, {decision.arm, feedback(graph, decision.arm, t)});
    const RoundDetails details = last_round_of(*lazy).value();
    double entropy = 0;
    for (const double probability : p) {
      entropy -= probability > 0 ? probability * std::log(probability) : 0;
    }
    penalty += (1 / details.rate - last_inverse) * entropy;
    cost += (std::numbers::e - 2) * details.rate * details.q;
    falls += 1 / details.rate > last_inverse ? 1 : 0;
    last_inverse = 1 / details.rate;
    const double bias = *certificate_of(*lazy)->regret_bound - penalty - cost;
    ASSERT_GE(bias, -1e-9 * penalty) << t;
    ASSERT_LE(bias, static_cast<double>(t));
    if (t % 100 == 0) {
      lazy = restore_learner(lazy->save());
    }
  }
  EXPECT_GT(falls, 10U);
}

// The rate follows the exact schedule in steps, in each of which the budget grows by at most a
// factor 1.1.
TEST(LazyWeights, KeepTheRateWithinAFactorOfTheAdaptiveOne) {
  const Graph graph = ring();
  const Stream stream(1, Purpose::draw);
  const double n = kArms;
  const auto budget_of = [n](const std::string& name, std::uint64_t t, double q_sum) {
    if (name == "exp3") {
      return n * static_cast<double>(t);
    }
    return 2 * (name == "exp3-wix" ? 3 : std::numbers::e - 2) * (n + q_sum);
  };
  for (const char* name : {"exp3", "exp3-wix", "exp3-ivx-clip"}) {
    const auto lazy = make_learner({.name = name, .arms = kArms, .engine = Engine::lazy});
    std::size_t changes = 0;
    double last_rate = 0;
    for (std::uint64_t t = 1; t <= 5000; ++t) {
      const double adaptive_rate =
          std::sqrt(std::log(n) / budget_of(name, t, certificate_of(*lazy)->q_sum));
      const Decision decision = lazy->choose(stream);
      lazy->observe(decision, graph, {decision.arm, feedback(graph, decision.arm, t)});
      const double rate = last_round_of(*lazy)->rate;
      const double factor = std::pow(1.1, 0.25) * (1 + 1e-12);
      EXPECT_GE(rate, adaptive_rate / factor);
      EXPECT_LE(rate, adaptive_rate * factor);
      EXPECT_TRUE(last_rate == 0 || rate <= last_rate);
      changes += rate != last_rate ? 1 : 0;
      last_rate = rate;
    }
    EXPECT_LT(changes, 120);  // log(5000) / log(1.1) = 90
  }
}

TEST(LazyWeights, KeepTheSumOfProbabilitiesAtOneOverManyRounds) {
  const Graph graph = Graph::sparse(25, {});
  const auto learner =
      make_learner({.name = "exp3", .arms = 25, .rate = 0.1, .engine = Engine::lazy});
  const Stream stream(1, Purpose::draw);
  for (int t = 0; t < 300000; ++t) {
    const Decision decision = learner->choose(stream);
    const Observation seen{decision.arm, decision.arm == 7 ? 0.4 : 0.6};
    learner->observe(decision, graph, {decision.arm, {&seen, 1}});
  }
  const auto p = probabilities_of(*learner);
  EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
}

TEST(LazyWeights, ContinueFromASavedStateWithTheSameBits) {
  const Graph graph = ring();
  const Stream stream(1, Purpose::draw);
  for (const LearnerSpec& spec : lazy_settings(kArms, 0.01)) {
    SCOPED_TRACE(described(spec));
    auto learner = make_learner(spec);
    std::unique_ptr<Learner> restored;
    for (std::uint64_t t = 1; t <= 200; ++t) {
      const Decision decision = learner->choose(stream);
      if (t == 100) {
        restored = restore_learner(learner->save());
        EXPECT_EQ(restored->save(), learner->save());
      } else if (restored) {
        ASSERT_EQ(restored->choose(stream), decision);
      }
      const std::vector<Observation> seen = feedback(graph, decision.arm, t);
      learner->observe(decision, graph, {decision.arm, seen});
      if (restored) {
        restored->observe(decision, graph, {decision.arm, seen});
      }
    }
    EXPECT_EQ(restored->save(), learner->save());
  }
}

TEST(LazyWeights, RefuseLateFeedbackAndStayUnchanged) {
  const Graph graph = ring();
  const Stream stream(1, Purpose::draw);
  const auto learner = make_learner({.name = "exp3-wix", .arms = kArms, .engine = Engine::lazy});
  const Decision first = learner->choose(stream);
  const Decision second = learner->choose(stream);
  EXPECT_EQ(learner->outstanding(), 2U);
  learner->observe(second, graph, {second.arm, feedback(graph, second.arm, 1)});
  EXPECT_EQ(learner->outstanding(), 0U);
  const std::string state = learner->save();
  try {
    learner->observe(first, graph, {first.arm, feedback(graph, first.arm, 1)});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("lazy engine"), std::string::npos);
  }
  EXPECT_EQ(learner->save(), state);
}

TEST(LazyWeights, StayUnchangedWhenInputIsRefused) {
  const Graph graph = ring();
  const auto learner = make_learner({.name = "exp3-wix", .arms = kArms, .engine = Engine::lazy});
  const Decision decision = learner->choose(Stream(1, Purpose::draw));
  const std::string state = learner->save();
  std::vector<Observation> seen = feedback(graph, decision.arm, 1);
  seen.back().value = std::nan("");
  EXPECT_THROW(learner->observe(decision, graph, {decision.arm, seen}), Error);
  seen.pop_back();
  EXPECT_THROW(learner->observe(decision, graph, {decision.arm, seen}), Error);
  EXPECT_THROW(learner->observe(decision, Graph::sparse(kArms + 1, {}), {decision.arm, seen}),
               Error);
  EXPECT_THROW(learner->adopt(kArms), Error);
  EXPECT_EQ(learner->save(), state);
}

// Plays every learner with a lazy engine on more arms than the size from which memory is
// prefetched. At a fixed rate the two engines agree up to rounding.
TEST(LazyWeights, MatchTheExactEngineAboveThePrefetchSize) {
  constexpr std::size_t kMany = 270'000;  // above the prefetch size even without arcs
  const Graph graph = make_cycle({.arms = kMany});
  for (const LearnerSpec& spec : lazy_settings(kMany, 0.5)) {
    if (!spec.rate) {
      continue;
    }
    SCOPED_TRACE(described(spec));
    const auto lazy = make_learner(spec);
    const auto reference = make_learner(with_exact_engine(spec));
    for (std::uint64_t t = 1; t <= 6; ++t) {
      // The first and the last row are read, too.
      const Arm arm = t == 1 ? 0 : t == 2 ? kMany - 1 : static_cast<Arm>(t * 7001);
      const std::vector<Observation> seen = feedback(graph, arm, t);
      lazy->observe(lazy->adopt(arm), graph, {arm, seen});
      reference->observe(reference->adopt(arm), graph, {arm, seen});
    }
    const RoundDetails details = last_round_of(*lazy).value();
    const RoundDetails expected = last_round_of(*reference).value();
    for (std::size_t arm = 0; arm < kMany; ++arm) {
      ASSERT_NEAR(details.estimates[arm], expected.estimates[arm],
                  1e-9 * std::abs(expected.estimates[arm]));
      ASSERT_NEAR(details.probabilities[arm], expected.probabilities[arm],
                  1e-9 * expected.probabilities[arm]);
    }
  }
}

// This was a segmentation fault: with threshold 0 every arm covers every arm, so no arcs are stored
// and there is nothing to prefetch.
TEST(LazyWeights, PlayWithThresholdZeroAboveThePrefetchSize) {
  constexpr std::size_t kMany = 300'000;
  const Graph graph = make_empty({.arms = kMany});
  const auto learner =
      make_learner({.name = "exp3-ixb", .arms = kMany, .threshold = 0.0, .engine = Engine::lazy});
  for (int t = 0; t < 3; ++t) {
    const Decision decision = learner->choose(Stream(1, Purpose::draw));
    const std::vector<Observation> seen = {{decision.arm, 0.5}};
    learner->observe(decision, graph, {decision.arm, seen});
    // The coverage of every arm is the sum of all probabilities.
    const RoundDetails details = last_round_of(*learner).value();
    EXPECT_NEAR(details.q, 1 / (1 + details.exploration), 1e-12);
    EXPECT_NEAR(details.estimates[decision.arm], 0.5 / (1 + details.exploration), 1e-12);
  }
}

TEST(LazyWeights, AreOnlyForLearnersWithALazyEngine) {
  std::vector<std::string> lazy;
  for (const CatalogueEntry& entry : learner_catalogue()) {
    if (learner_row(entry.name).lazy) {
      lazy.emplace_back(entry.name);
    }
  }
  EXPECT_EQ(lazy, (std::vector<std::string>{"exp3", "exp3-ix", "exp3-ixb", "exp3-ixt", "exp3-wix",
                                            "exp3-ivx", "exp3-ivx-clip"}));
  for (const char* name : {"uniform", "hedge", "exp3-basic", "exp3-ivc"}) {
    EXPECT_THROW(make_learner({.name = name, .arms = kArms, .engine = Engine::lazy}), Error);
    EXPECT_NO_THROW(make_learner({.name = name, .arms = kArms, .engine = Engine::automatic}));
  }
  EXPECT_FALSE(is_lazy({.name = "exp3", .arms = kArms, .engine = Engine::automatic}));
  EXPECT_TRUE(is_lazy({.name = "exp3", .arms = 100'000, .engine = Engine::automatic}));
  EXPECT_FALSE(is_lazy({.name = "hedge", .arms = 100'000, .engine = Engine::automatic}));
}

// Over 50 pairs of runs with the same draws and noise, the mean difference of the regrets of the
// two engines is less than three of its standard errors. The seed is fixed; a random one would fail
// with a chance of 1 in 370.
TEST(LazyWeights, HaveTheRegretOfTheExactEngine) {
  constexpr std::size_t kMany = 200;
  constexpr std::uint64_t kPairs = 50;
  constexpr std::uint64_t kRounds = 3000;
  const Graph graph = make_erdos_renyi({.arms = kMany, .probability = 0.05, .weight = 0.5},
                                       Stream(1, Purpose::graph));
  const auto regret = [&](const LearnerSpec& spec, bool switching, std::uint64_t pair) {
    const Stream stream(1, Purpose::losses, pair);
    const auto environment = make_environment(
        switching ? losses::switching({.arms = kMany, .gap = 0.4, .period = 500}, stream)
                  : losses::bernoulli({.arms = kMany, .gap = 0.4}, stream),
        graphs::fixed(graph));
    const auto learner = make_learner(spec);
    hearsay::Run run(*environment, *learner, {NoiseLaw::uniform, 1},
                     {.seed = 1, .repetition = pair});
    run.steps(kRounds);
    return run.regret();
  };
  const std::vector<std::pair<std::string, std::optional<double>>> settings = {
      {"exp3-wix", std::nullopt}, {"exp3-wix", 0.02}, {"exp3-ivx-clip", std::nullopt}};
  for (const bool switching : {false, true}) {
    for (const auto& [name, rate] : settings) {
      const LearnerSpec lazy{.name = name, .arms = kMany, .rate = rate, .engine = Engine::lazy};
      double sum = 0;
      double squares = 0;
      for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
        const double difference =
            regret(lazy, switching, pair) - regret(with_exact_engine(lazy), switching, pair);
        sum += difference;
        squares += difference * difference;
      }
      const double mean = sum / kPairs;
      const double error = std::sqrt((squares / kPairs - mean * mean) / (kPairs - 1));
      EXPECT_LE(std::abs(mean), 3 * error) << name << ' ' << switching << ' ' << rate.value_or(0);
    }
  }
}

// The weights would overflow or underflow if they were not rescaled.
TEST(LazyWeights, MatchTheExactEngineWithLargeEstimatesOfBothSigns) {
  const Graph graph = ring(0.05);
  const LearnerSpec spec{.name = "exp3-ixt",
                         .arms = kArms,
                         .noise_bound = 5,
                         .rate = 2,
                         .exploration = 0.001,
                         .threshold = 0.01,
                         .engine = Engine::lazy};
  const auto lazy = make_learner(spec);
  const auto reference = make_learner(with_exact_engine(spec));
  for (std::uint64_t t = 1; t <= 500; ++t) {
    const Decision decision = lazy->choose(Stream(1, Purpose::draw));
    std::vector<Observation> seen = feedback(graph, decision.arm, t);
    for (Observation& observation : seen) {
      observation.value *= observation.arm % 2 == 0 ? -1 : 1;
    }
    lazy->observe(decision, graph, {decision.arm, seen});
    reference->observe(reference->adopt(decision.arm), graph, {decision.arm, seen});
    const auto p = probabilities_of(*lazy);
    ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12) << t;
    for (std::size_t i = 0; i < kArms; ++i) {
      ASSERT_NEAR(p[i], probabilities_of(*reference)[i], 1e-9) << t << " " << i;
    }
  }
}

}  // namespace
}  // namespace hearsay
