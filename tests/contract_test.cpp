// What every learner of the catalogue must do, in each of its engines, on every family of graphs
// and with every kind of losses.

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
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
