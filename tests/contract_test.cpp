// The contract of every learner of the catalogue, with each of its engines, on every graph family
// and with every kind of losses.

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/base/error.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/lockstep.h"
#include "hearsay/play/run.h"
#include "tests/every_learner.h"
#include "tests/message_of.h"

namespace hearsay {
namespace {

// Every learner with every engine, where observations out of range are refused.
std::vector<LearnerSpec> every_strict_engine(std::size_t arms) {
  std::vector<LearnerSpec> specs = every_engine(arms);
  for (LearnerSpec& spec : specs) {
    spec.out_of_range = OutOfRange::refuse;
  }
  return specs;
}

void expect_valid_probabilities(const Learner& learner) {
  const std::span<const double> p = probabilities_of(learner);
  if (p.empty()) {
    return;  // the learner is not randomized
  }
  ASSERT_EQ(p.size(), learner.arms());
  const long double sum = std::accumulate(p.begin(), p.end(), 0.0L);
  ASSERT_LE(std::abs(static_cast<double>(sum - 1)), 1e-12);
  ASSERT_GE(*std::ranges::min_element(p), 0);
}

// The graph that the learner is shown in a round with this graph.
Graph shown_to(const Learner& learner, const Graph& graph) {
  return learner.information() == Information::true_losses ? make_complete({.arms = graph.arms()})
                                                           : graph;
}

void show_before_draw(Learner& learner, const Graph& graph) {
  if (Informed* informed = informed_of(learner)) {
    informed->see_graph(graph);
  }
}

// Each kind of refused input leaves every bit of the state unchanged.
void expect_refusals_change_nothing(Learner& learner, const Graph& graph) {
  show_before_draw(learner, graph);
  const Decision decision = learner.adopt(0);
  const std::string before = learner.save();
  std::vector<Observation> seen(learner.arms());
  for (Arm arm = 0; arm < learner.arms(); ++arm) {
    seen[arm] = {arm, NAN};
  }
  const std::vector<Observation> no_observations;
  EXPECT_THROW(learner.observe(decision, graph, {0, seen}), Error);
  EXPECT_THROW(learner.observe(decision, graph, {0, no_observations}), Error);
  EXPECT_THROW(
      learner.observe(decision, make_empty({.arms = learner.arms() + 1}), {0, no_observations}),
      Error);
  EXPECT_THROW(learner.observe({0, 1, 1'000'000}, graph, {0, no_observations}), Error);
  EXPECT_EQ(learner.save(), before);
  learner.forget(decision);
  EXPECT_EQ(learner.outstanding(), 0U);
}

TEST(Contract, HoldsForEveryLearnerGraphAndKindOfLosses) {
  for (const GraphFamily& family : graph_families()) {
    const Graph graph = family.make(family.defaults, Stream(1, Purpose::graph), 0, 1);
    for (const LossKind& kind : loss_kinds()) {
      for (const LearnerSpec& spec : every_strict_engine(graph.arms())) {
        SCOPED_TRACE(
            fmt::format("{} on {} with {}", described(spec), family.entry.name, kind.entry.name));
        const auto environment = make_environment(
            kind.make(kind.defaults, spec.arms, Stream(2, Purpose::losses)), graphs::fixed(graph));
        const auto learner = make_learner(spec);
        hearsay::Run run(*environment, *learner, {NoiseLaw::truncated_gaussian, 1}, {});
        for (int t = 0; t < 40; ++t) {
          run.step();
          ASSERT_NO_FATAL_FAILURE(expect_valid_probabilities(*learner));
        }
        const std::string state = learner->save();
        ASSERT_EQ(restore_learner(state)->save(), state);
        expect_refusals_change_nothing(*learner, shown_to(*learner, graph));
      }
    }
  }
}

// Graphs of six arms with the smallest and largest weights that are allowed.
std::vector<Graph> graphs_of_tiny_weights() {
  const std::vector<double> weights = {5e-324, 1e-250, 1e-51, kSmallestWeight, 1e-20, 1e-3, 0.5, 1};
  std::vector<Graph> graphs;
  for (const double self_weight : {kSmallestWeight, 1e-20, 1.0}) {
    std::vector<Arc> arcs;
    for (Arm played = 0; played < 6; ++played) {
      for (Arm seen = 0; seen < 6; ++seen) {
        const double weight = weights[(5 * played + 3 * seen) % weights.size()];
        arcs.push_back({played, seen, played == seen ? self_weight : weight});
      }
    }
    graphs.push_back(Graph::sparse(6, arcs));
  }
  graphs.push_back(Graph::dense(2, {kSmallestWeight, 1e-250, 0, kSmallestWeight}));
  return graphs;
}

// The same learner at either end of the range of each of its parameters.
std::vector<LearnerSpec> at_ends_of_ranges(const LearnerSpec& spec) {
  std::vector<LearnerSpec> specs = {spec};
  for (const LearnerParameter& parameter : learner_row(spec.name).parameters) {
    const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
    const FieldInfo& info = fields[*field_index(fields, parameter.name)];
    if (info.type == FieldType::real) {
      for (const double end : {info.real.low, info.real.high}) {
        specs.push_back(spec);
        set_parameter(specs.back(), parameter.name, end);
        if (specs.back().rate) {  // a given rate does not depend on delays
          specs.back().delay_rate.reset();
        }
      }
    }
    if (info.type == FieldType::whole) {
      for (const std::uint64_t end : {info.whole.low, info.whole.high}) {
        specs.push_back(spec);
        set_parameter(specs.back(), parameter.name, end);
      }
    }
  }
  return specs;
}

void expect_finite_numbers(const Learner& learner) {
  const std::optional<RoundDetails> details = last_round_of(learner);
  ASSERT_TRUE(!details || (std::isfinite(details->rate) && std::isfinite(details->exploration) &&
                           std::isfinite(details->q)));
  const std::optional<Certificate> certificate = certificate_of(learner);
  ASSERT_TRUE(!certificate || (std::isfinite(certificate->q_sum) &&
                               std::isfinite(certificate->regret_bound.value_or(0))));
}

// Every engine either continues with finite numbers, or refuses the round and stays unchanged.
TEST(Contract, NumbersStayFiniteForTheSmallestWeightsAndTheLargestNoise) {
  std::size_t refused = 0;
  for (const Graph& graph : graphs_of_tiny_weights()) {
    for (const double noise_bound : {0.0, 1.0, 1e100}) {
      std::vector<LearnerSpec> specs;
      for (LearnerSpec spec : every_strict_engine(graph.arms())) {
        spec.noise_bound = noise_bound;
        std::ranges::copy(at_ends_of_ranges(spec), std::back_inserter(specs));
      }
      for (const LearnerSpec& spec : specs) {
        SCOPED_TRACE(fmt::format("{}, R = {}, self weight {}", described(spec), noise_bound,
                                 graph.self_weight()));
        const auto environment =
            make_environment(losses::bernoulli({.arms = graph.arms()}, Stream(2, Purpose::losses)),
                             graphs::fixed(graph));
        const auto learner = make_learner(spec);
        hearsay::Run run(*environment, *learner, {NoiseLaw::truncated_gaussian, noise_bound}, {});
        for (int t = 0; t < 60; ++t) {
          try {
            run.step();
          } catch (const SumTooLarge&) {
            ++refused;
            break;
          }
          ASSERT_NO_FATAL_FAILURE(expect_valid_probabilities(*learner));
          ASSERT_NO_FATAL_FAILURE(expect_finite_numbers(*learner));
        }
        const std::string state = learner->save();
        ASSERT_EQ(restore_learner(state)->save(), state);
      }
    }
  }
  EXPECT_GT(refused, 0U);
}

// On a graph without arcs only the arm played has an estimate, of about 2e301.
TEST(Contract, AnEstimateThatIsTooLargeIsRefusedInTheSameWordsByEveryEngine) {
  const double value = 1e301;
  const Graph graph = Graph::sparse(2, {});
  const auto expected = [](Arm played) {
    return fmt::format(
        "an estimate is too large to be added up, expected smaller observations or more "
        "exploration: arm {} was played at probability 0.5",
        played);
  };
  for (const LearnerSpec& spec :
       {LearnerSpec{.name = "exp3", .arms = 2},
        LearnerSpec{.name = "exp3", .arms = 2, .engine = Engine::lazy},
        LearnerSpec{.name = "exp3-dom", .arms = 2}, LearnerSpec{.name = "exp3-res", .arms = 2}}) {
    const auto learner = make_learner(spec);
    show_before_draw(*learner, graph);
    const Decision decision = learner->choose(Stream(1, Purpose::draw));
    EXPECT_EQ(message_of([&] {
                const std::vector<Observation> seen = {{decision.arm, value}};
                learner->observe(decision, graph, {decision.arm, seen});
              }),
              expected(decision.arm))
        << described(spec);
  }
  const auto lockstep = make_lockstep_learners({.name = "exp3", .arms = 2}, 1, RangeCheck::needed);
  const Arm played = lockstep->choose(0, Lanes())[0];
  lockstep->see(graph);
  const std::vector<std::vector<Observation>> seen(kLanes, {{played, value}});
  EXPECT_EQ(message_of([&] { lockstep->learn(0, seen); }), expected(played));
}

// A learner that is saved and restored between each decision and its feedback has the same bits as
// one that is not.
TEST(Contract, SavingAndRestoringChangesNothing) {
  const Graph graph = make_grid({.side = 3});
  const Stream draws(1, Purpose::draw);
  const Stream noise_stream(1, Purpose::noise);
  const Noise noise{NoiseLaw::uniform, 1};
  for (const LearnerSpec& spec : every_strict_engine(graph.arms())) {
    const auto uninterrupted = make_learner(spec);
    auto interrupted = make_learner(spec);
    const Graph shown = shown_to(*uninterrupted, graph);
    const std::vector<double> losses(spec.arms, 0.5);
    std::vector<Observation> seen;
    for (std::uint64_t t = 1; t <= 30; ++t) {
      show_before_draw(*uninterrupted, graph);
      const Decision decision = uninterrupted->choose(draws);
      reveal(shown, decision.arm, losses, noise, noise_stream, t, seen);
      uninterrupted->observe(decision, shown, {decision.arm, seen});

      show_before_draw(*interrupted, graph);
      ASSERT_EQ(interrupted->choose(draws), decision);
      interrupted = restore_learner(interrupted->save());
      interrupted->observe(decision, shown, {decision.arm, seen});
      ASSERT_EQ(interrupted->save(), uninterrupted->save()) << described(spec);
    }
  }
}

// Every bound of a certificate has either a value or a condition that failed in a round.
void expect_bounds_have_values_or_failures(const Learner& learner) {
  const std::optional<Certificate> certificate = certificate_of(learner);
  for (const RegretBound& bound : certificate ? certificate->bounds : std::vector<RegretBound>()) {
    SCOPED_TRACE(bound.name);
    EXPECT_FALSE(bound.statement.empty());
    EXPECT_FALSE(bound.conditions.empty());
    EXPECT_EQ(bound.value.has_value(), bound.failed_in_round == 0);
    EXPECT_EQ(bound.failure.empty(), bound.failed_in_round == 0);
    EXPECT_LE(bound.failed_in_round, certificate->rounds);
    EXPECT_TRUE(std::isfinite(bound.value.value_or(0)));
  }
}

// The regret of a single arm is 0, so no bound may be negative.
TEST(Contract, ASingleArmIsPlayedWithoutNegativeBounds) {
  const Graph graph = Graph::sparse(1, {});
  for (const double noise_bound : {0.0, 1.0}) {
    for (LearnerSpec spec : every_strict_engine(1)) {
      SCOPED_TRACE(described(spec));
      spec.noise_bound = noise_bound;
      spec.bounds = spec.engine == Engine::exact ? Bounds::all : Bounds::designated;
      auto learner = make_learner(spec);
      for (int t = 0; t < 20; ++t) {
        show_before_draw(*learner, graph);
        const Decision decision = learner->choose(Stream(1, Purpose::draw));
        EXPECT_EQ(decision.arm, 0U);
        EXPECT_EQ(decision.probability, 1);
        const std::vector<Observation> seen = {{0, t % 2 == 0 ? 1.0 : 0.25}};
        learner->observe(decision, graph, {0, seen});
        ASSERT_NO_FATAL_FAILURE(expect_valid_probabilities(*learner));
        ASSERT_NO_FATAL_FAILURE(expect_finite_numbers(*learner));
        learner = restore_learner(learner->save());
      }
      expect_bounds_have_values_or_failures(*learner);
      const std::optional<Certificate> certificate = certificate_of(*learner);
      for (const RegretBound& bound :
           certificate ? certificate->bounds : std::vector<RegretBound>()) {
        EXPECT_GE(bound.value.value_or(0), -1e-12) << bound.name;
      }
    }
  }
}

// Makes eight decisions at a time and gives their feedback in another order, for one of them never.
// The learner is saved and restored after each feedback. The lazy engine, which refuses late
// feedback, has its own tests for that.
TEST(Contract, LateFeedbackIsTakenInAnyOrderByEveryLearner) {
  const Graph graph = make_grid({.side = 3});
  const std::vector<std::size_t> order = {2, 0, 7, 1, 6, 4, 3};
  for (LearnerSpec spec : every_learner(graph.arms())) {
    SCOPED_TRACE(described(spec));
    spec.bounds = Bounds::all;
    auto uninterrupted = make_learner(spec);
    auto interrupted = make_learner(spec);
    const Graph shown = shown_to(*uninterrupted, graph);
    std::vector<double> losses(spec.arms);
    std::vector<Observation> seen;
    for (std::uint64_t block = 0; block < 4; ++block) {
      Stream(3, Purpose::losses).fill_uniform(block, losses);
      std::vector<Decision> decisions;
      for (int k = 0; k < 8; ++k) {
        show_before_draw(*uninterrupted, graph);
        show_before_draw(*interrupted, graph);
        decisions.push_back(uninterrupted->choose(Stream(1, Purpose::draw)));
        ASSERT_EQ(interrupted->choose(Stream(1, Purpose::draw)), decisions.back());
      }
      for (const std::size_t k : order) {
        const Arm played = decisions[k].arm;
        reveal(shown, played, losses, {NoiseLaw::uniform, 1}, Stream(1, Purpose::noise),
               decisions[k].round, seen);
        uninterrupted->observe(decisions[k], shown, {played, seen});
        interrupted->observe(decisions[k], shown, {played, seen});
        EXPECT_THROW(uninterrupted->observe(decisions[k], shown, {played, seen}), Error)
            << "feedback given twice";
        ASSERT_NO_FATAL_FAILURE(expect_valid_probabilities(*uninterrupted));
        ASSERT_TRUE(interrupted->save() == uninterrupted->save());
        interrupted = restore_learner(interrupted->save());
      }
      EXPECT_EQ(uninterrupted->outstanding(), 1U);
      uninterrupted->forget(decisions[5]);
      interrupted->forget(decisions[5]);
    }
    expect_bounds_have_values_or_failures(*uninterrupted);
    if (const auto certificate = certificate_of(*uninterrupted)) {
      EXPECT_EQ(certificate->rounds, 28U);
    }
  }
}

// Enumerates all draws and noise of -R or R: no learner overestimates a loss in the mean, which
// every regret bound requires. Two learners without a bound do: exp3-ixb treats noisy observations
// as exact, and exp3-res treats a fixed graph as a random one.
TEST(Contract, NoLossIsOverestimatedInTheMean) {
  constexpr std::size_t kArms = 3;
  constexpr unsigned kSigns = 1U << kArms;
  const std::vector<Graph> graphs = {
      Graph::dense(kArms, {1, 0.5, 0, 0.25, 1, 1, 0, 0.8, 1}),
      Graph::dense(kArms, {1, 0.9, 0.1, 0.1, 1, 0.3, 1, 0.05, 1}),
  };
  std::size_t compared = 0;
  for (const double noise_bound : {0.0, 1.0, 2.0}) {
    for (LearnerSpec spec : every_strict_engine(kArms)) {
      if (spec.name == "exp3-ixb" || spec.name == "exp3-res") {
        continue;
      }
      SCOPED_TRACE(fmt::format("{}, R = {}", described(spec), noise_bound));
      spec.noise_bound = noise_bound;
      for (const Graph& graph : graphs) {
        const auto before = make_learner(spec);
        const Graph shown = shown_to(*before, graph);
        const auto environment = make_environment(
            losses::bernoulli({.arms = kArms, .gap = 0.5}, Stream(2, Purpose::losses)),
            graphs::fixed(graph));
        hearsay::Run(*environment, *before, {NoiseLaw::rademacher, noise_bound}, {}).steps(25);
        const std::string state = before->save();
        // The graph shown before the draw is not part of the state.
        show_before_draw(*before, graph);
        const std::span<const double> drawn_from = probabilities_of(*before);
        const std::vector<double> p(drawn_from.begin(), drawn_from.end());
        if (p.empty() || !last_round_of(*before)) {
          continue;  // an index policy, which estimates means
        }
        const std::vector<double> losses = {0.3, 1, 0};
        std::vector<double> mean(kArms);
        for (Arm played = 0; played < kArms; ++played) {
          for (unsigned signs = 0; signs < kSigns; ++signs) {
            std::vector<Observation> seen;
            shown.for_each_seen(played, [&](Arm arm, double weight) {
              const double noise = (signs >> arm & 1U) != 0 ? noise_bound : -noise_bound;
              seen.push_back({arm, weight * losses[arm] + (1 - weight) * noise});
            });
            const auto learner = restore_learner(state);
            show_before_draw(*learner, graph);
            learner->observe(learner->adopt(played), shown, {played, seen});
            const RoundDetails details = last_round_of(*learner).value();
            for (std::size_t i = 0; i < kArms; ++i) {
              mean[i] += p[played] / kSigns * details.estimates[i];
            }
          }
        }
        for (std::size_t i = 0; i < kArms; ++i) {
          EXPECT_LE(mean[i], losses[i] + 1e-9) << "arm " << i;
        }
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 100U);
}

}  // namespace
}  // namespace hearsay
