// What every learner of the catalogue must do, in each of its engines, on every family of graphs
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

#include "hearsay/base/error.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/run.h"
#include "tests/every_learner.h"

namespace hearsay {
namespace {

// Every learner in each of its engines.
std::vector<LearnerSpec> every_engine(std::size_t arms) {
  std::vector<LearnerSpec> specs = every_learner(arms);
  std::ranges::copy(every_lazy_learner(arms), std::back_inserter(specs));
  for (LearnerSpec& spec : specs) {
    spec.out_of_range = OutOfRange::refuse;
  }
  return specs;
}

void expect_valid_probabilities(const Learner& learner) {
  const std::span<const double> p = probabilities_of(learner);
  if (p.empty()) {
    return;  // it does not randomize
  }
  ASSERT_EQ(p.size(), learner.arms());
  const long double sum = std::accumulate(p.begin(), p.end(), 0.0L);
  ASSERT_LE(std::abs(static_cast<double>(sum - 1)), 1e-12);
  ASSERT_GE(*std::ranges::min_element(p), 0);
}

// What the learner is shown in a round with this graph.
Graph shown_to(const Learner& learner, const Graph& graph) {
  return learner.information() == Information::true_losses ? make_complete({.arms = graph.arms()})
                                                           : graph;
}

void show_before_draw(Learner& learner, const Graph& graph) {
  if (Informed* informed = informed_of(learner)) {
    informed->see_graph(graph);
  }
}

// Each kind of refused input leaves every bit of the state as it was.
void expect_refusals_change_nothing(Learner& learner, const Graph& graph) {
  show_before_draw(learner, graph);
  const Decision decision = learner.adopt(0);
  const std::string before = learner.save();
  std::vector<Observation> seen(learner.arms());
  for (Arm arm = 0; arm < learner.arms(); ++arm) {
    seen[arm] = {arm, NAN};
  }
  const std::vector<Observation> none;
  EXPECT_THROW(learner.observe(decision, graph, {0, seen}), Error);
  EXPECT_THROW(learner.observe(decision, graph, {0, none}), Error);
  EXPECT_THROW(learner.observe(decision, make_empty({.arms = learner.arms() + 1}), {0, none}),
               Error);
  EXPECT_THROW(learner.observe({0, 1, 1'000'000}, graph, {0, none}), Error);
  EXPECT_EQ(learner.save(), before);
  learner.forget(decision);
  EXPECT_EQ(learner.outstanding(), 0U);
}

TEST(Contract, HoldsForEveryLearnerGraphAndKindOfLosses) {
  for (const GraphFamily& family : graph_families()) {
    const Graph graph = family.make(family.defaults, Stream(1, Purpose::graph), 0, 1);
    for (const LossKind& kind : loss_kinds()) {
      for (const LearnerSpec& spec : every_engine(graph.arms())) {
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

// Weights from every corner of what a graph takes, on six arms.
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
std::vector<LearnerSpec> at_the_ends(const LearnerSpec& spec) {
  std::vector<LearnerSpec> specs = {spec};
  for (const LearnerParameter& parameter : learner_row(spec.name).parameters) {
    const std::span<const FieldInfo> fields = LearnerSpec::fields().infos();
    const FieldInfo& info = *std::ranges::find(fields, parameter.name, &FieldInfo::name);
    if (info.type == FieldType::real) {
      for (const double end : {info.real.low, info.real.high}) {
        specs.push_back(spec);
        set_parameter(specs.back(), parameter.name, end);
      }
    }
  }
  return specs;
}

void expect_finite_figures(const Learner& learner) {
  const std::optional<RoundFigures> figures = last_round_of(learner);
  ASSERT_TRUE(!figures || (std::isfinite(figures->rate) && std::isfinite(figures->exploration) &&
                           std::isfinite(figures->q)));
  const std::optional<Certificate> certificate = certificate_of(learner);
  ASSERT_TRUE(!certificate || (std::isfinite(certificate->q_sum) &&
                               std::isfinite(certificate->regret_bound.value_or(0))));
}

// Every engine either goes on with finite numbers, or refuses the round and stays as it was.
TEST(Contract, NumbersStayFiniteForTheSmallestWeightsAndTheLargestNoise) {
  std::size_t refused = 0;
  for (const Graph& graph : graphs_of_tiny_weights()) {
    for (const double noise_bound : {0.0, 1.0, 1e100}) {
      std::vector<LearnerSpec> specs;
      for (LearnerSpec spec : every_engine(graph.arms())) {
        spec.noise_bound = noise_bound;
        std::ranges::copy(at_the_ends(spec), std::back_inserter(specs));
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
          } catch (const Error& error) {
            ASSERT_NE(std::string(error.what()).find("too large to be added up"), std::string::npos)
                << error.what();
            ++refused;
            break;
          }
          ASSERT_NO_FATAL_FAILURE(expect_valid_probabilities(*learner));
          ASSERT_NO_FATAL_FAILURE(expect_finite_figures(*learner));
        }
        const std::string state = learner->save();
        ASSERT_EQ(restore_learner(state)->save(), state);
      }
    }
  }
  EXPECT_GT(refused, 0U);
}

// A learner that is saved and restored between each decision and its feedback has the same bits as
// one that is not.
TEST(Contract, SavingAndRestoringChangesNothing) {
  const Graph graph = make_grid({.side = 3});
  const Stream draws(1, Purpose::draw);
  const Stream noise_stream(1, Purpose::noise);
  const Noise noise{NoiseLaw::uniform, 1};
  for (const LearnerSpec& spec : every_engine(graph.arms())) {
    const auto at_once = make_learner(spec);
    auto interrupted = make_learner(spec);
    const Graph shown = shown_to(*at_once, graph);
    const std::vector<double> losses(spec.arms, 0.5);
    std::vector<Observation> seen;
    for (std::uint64_t t = 1; t <= 30; ++t) {
      show_before_draw(*at_once, graph);
      const Decision decision = at_once->choose(draws);
      reveal(shown, decision.arm, losses, noise, noise_stream, t, seen);
      at_once->observe(decision, shown, {decision.arm, seen});

      show_before_draw(*interrupted, graph);
      ASSERT_EQ(interrupted->choose(draws), decision);
      interrupted = restore_learner(interrupted->save());
      interrupted->observe(decision, shown, {decision.arm, seen});
      ASSERT_EQ(interrupted->save(), at_once->save()) << described(spec);
    }
  }
}

}  // namespace
}  // namespace hearsay
