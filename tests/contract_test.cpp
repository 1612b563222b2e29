// One contract for all: every learner on every graph family in every environment.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/run.h"

namespace hearsay {
namespace {

struct NamedGraph {
  std::string family;
  Graph graph;
};

std::vector<NamedGraph> every_family() {
  const Stream stream(1, Purpose::graph);
  return {
      {"grid", make_grid({.side = 3})},
      {"uniform", make_uniform({.arms = 6}, stream)},
      {"erdos-renyi", make_erdos_renyi({.arms = 7, .weight = 0.5}, stream)},
      {"cliques", make_cliques({.count = 2, .size = 3})},
      {"star", make_star({.arms = 5})},
      {"cycle", make_cycle({.arms = 6})},
      {"complete", make_complete({.arms = 4})},
      {"empty", make_empty({.arms = 5})},
      {"constant", make_constant({.arms = 5, .weight = 0.25})},
      {"king", make_king({.side = 3})},
      {"hamming", make_hamming({.length = 3, .distance = 2})},
      {"johnson", make_johnson({.length = 5, .ones = 2, .distance = 2})},
      {"keller", make_keller({.dimension = 2})},
  };
}

struct NamedLosses {
  std::string name;
  std::function<std::unique_ptr<Losses>(std::size_t arms)> make;
};

std::vector<NamedLosses> every_losses() {
  const Stream stream(2, Purpose::losses);
  return {
      {"walks", [=](std::size_t n) { return losses::walks({.arms = n}, stream); }},
      {"bernoulli", [=](std::size_t n) { return losses::bernoulli({.arms = n}, stream); }},
      {"switching",
       [=](std::size_t n) { return losses::switching({.arms = n, .period = 7}, stream); }},
      {"trap", [=](std::size_t n) { return losses::trap({.arms = n, .turn = 20}, stream); }},
      {"file",
       [=](std::size_t n) {
         return losses::replayed(std::make_shared<const losses::Table>(
             losses::Table{n, std::vector<double>(n * 100, 0.5)}));
       }},
      {"adversary", [=](std::size_t n) { return losses::adversary({.arms = n}, stream); }},
  };
}

std::vector<LearnerSpec> every_learner() {
  std::vector<LearnerSpec> specs;
  for (const CatalogueEntry& entry : learner_catalogue()) {
    LearnerSpec spec{.name = std::string(entry.name), .out_of_range = OutOfRange::refuse};
    if (entry.name == "exp3-ixb" || entry.name == "exp3-ixt") {
      spec.threshold = 0.5;
    }
    specs.push_back(spec);
    if (entry.name == "exp3-wix") {
      spec.tuning = Tuning::sharp;
      specs.push_back(spec);
    }
  }
  return specs;
}

void expect_valid(const Learner& learner) {
  const std::span<const double> p = learner.probabilities();
  ASSERT_EQ(p.size(), learner.arms());
  const long double sum = std::accumulate(p.begin(), p.end(), 0.0L);
  ASSERT_LE(std::abs(static_cast<double>(sum - 1)), 1e-12);
  ASSERT_GE(*std::ranges::min_element(p), 0);
}

// Refused input of every kind leaves every bit where it was.
void expect_refusals_change_nothing(Learner& learner, const Graph& graph) {
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
}

TEST(Contract, HoldsForEveryLearnerGraphAndEnvironment) {
  for (const NamedGraph& named : every_family()) {
    for (const NamedLosses& losses : every_losses()) {
      for (LearnerSpec spec : every_learner()) {
        SCOPED_TRACE(spec.name + " on " + named.family + " with " + losses.name);
        spec.arms = named.graph.arms();
        const auto environment =
            make_environment(losses.make(spec.arms), graphs::fixed(named.graph));
        const auto learner = make_learner(spec);
        hearsay::Run run(*environment, *learner, {NoiseLaw::truncated_gaussian, 1}, {});
        for (int t = 0; t < 40; ++t) {
          run.step();
          ASSERT_NO_FATAL_FAILURE(expect_valid(*learner));
        }
        const std::string state = learner->save();
        ASSERT_EQ(restore_learner(state)->save(), state);
        if (spec.name != "hedge" || named.family == "complete") {
          expect_refusals_change_nothing(*learner, named.graph);
        }
      }
    }
  }
}

// Told at once, or kept outstanding for no round at all through a save and a restore: the same
// bits.
TEST(Contract, NoDelayIsNoDifference) {
  const Graph graph = make_grid({.side = 3});
  const Stream draws(1, Purpose::draw);
  const Stream noise_stream(1, Purpose::noise);
  const Noise noise{NoiseLaw::uniform, 1};
  for (LearnerSpec spec : every_learner()) {
    spec.arms = graph.arms();
    const Graph shown = spec.name == "hedge" ? make_complete({.arms = spec.arms}) : graph;
    const auto at_once = make_learner(spec);
    auto interrupted = make_learner(spec);
    const std::vector<double> losses(spec.arms, 0.5);
    std::vector<Observation> seen;
    for (std::uint64_t t = 1; t <= 30; ++t) {
      const Decision decision = at_once->choose(draws);
      reveal(shown, decision.arm, losses, noise, noise_stream, t, seen);
      at_once->observe(decision, shown, {decision.arm, seen});

      ASSERT_EQ(interrupted->choose(draws), decision);
      interrupted = restore_learner(interrupted->save());
      interrupted->observe(decision, shown, {decision.arm, seen});
      ASSERT_EQ(interrupted->save(), at_once->save()) << spec.name;
    }
  }
}

}  // namespace
}  // namespace hearsay
