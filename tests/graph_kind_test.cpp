// What holds for every kind of graph sequence, also for one that is new.

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/environment/graph_sequence.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/work/plan.h"
#include "tests/message_of.h"

namespace hearsay {
namespace {

// An experiment whose graphs are of this kind, with `graph` in place of each graph that it takes.
Experiment experiment_of(const GraphKind& kind, const std::string& graph) {
  return parse_experiment(
      fmt::format("environment.horizon = 20\nenvironment.graph = {{kind = '{}', {}}}\n"
                  "learners = [{{learner = 'exp3'}}]\n",
                  kind.entry.name,
                  kind.takes == GraphsTaken::several
                      ? fmt::format("graphs = [{{{0}}}, {{{0}}}]", graph)
                      : graph),
      "");
}

constexpr const char* kRandomGraph = "family = 'uniform', arms = 4";

std::vector<double> weights_of(const Graph& graph) {
  std::vector<double> weights;
  for (Arm played = 0; played < graph.arms(); ++played) {
    for (Arm seen = 0; seen < graph.arms(); ++seen) {
      weights.push_back(graph.weight(played, seen));
    }
  }
  return weights;
}

std::vector<std::vector<double>> next_graphs(Environment& environment, int rounds) {
  std::vector<std::vector<double>> graphs;
  for (int round = 0; round < rounds; ++round) {
    graphs.push_back(weights_of(environment.next().graph));
  }
  return graphs;
}

TEST(GraphKind, EveryKindReadsBackFromTheFileThatIsWritten) {
  for (const GraphKind& kind : graph_kinds()) {
    SCOPED_TRACE(kind.entry.name);
    const Experiment experiment = experiment_of(kind, kRandomGraph);
    EXPECT_EQ(experiment.environment.graph.kind, &kind);
    const std::string text = to_toml(experiment);
    EXPECT_EQ(to_toml(parse_experiment(text, "")), text);
  }
}

TEST(GraphKind, EveryKindContinuesWithTheGraphsOfTheSavedSequence) {
  for (const GraphKind& kind : graph_kinds()) {
    SCOPED_TRACE(kind.entry.name);
    const Plan plan(experiment_of(kind, kRandomGraph));
    const auto whole = plan.environment(0);
    next_graphs(*whole, 7);
    const auto restored = plan.environment(0);
    restored->restore(whole->save());
    EXPECT_EQ(next_graphs(*restored, 13), next_graphs(*whole, 13));
  }
}

TEST(GraphKind, AKindThatTakesARandomFamilyRefusesAGraphThatIsNotRandom) {
  for (const GraphKind& kind : graph_kinds()) {
    SCOPED_TRACE(kind.entry.name);
    EXPECT_EQ(message_of([&] { experiment_of(kind, "family = 'star', arms = 4"); }),
              kind.takes == GraphsTaken::random_family
                  ? fmt::format("kind: is '{}', expected a random family beside it, such as "
                                "'uniform'",
                                kind.entry.name)
                  : "");
  }
}

// In a file the options of a kind stand beside those of its graph, so that one key would set both.
TEST(GraphKind, NoOptionOfAKindHasTheNameOfAKeyOfGraphs) {
  for (const GraphKind& kind : graph_kinds()) {
    for (const FieldInfo& option : kind.defaults.fields()) {
      for (const std::string_view key : {"kind", "graphs", "family", "file", "checksum"}) {
        EXPECT_NE(option.name, key) << kind.entry.name;
      }
      for (const GraphFamily& family : graph_families()) {
        EXPECT_EQ(std::ranges::count(family.defaults.fields(), option.name, &FieldInfo::name), 0)
            << kind.entry.name << ", " << family.entry.name << ": " << option.name;
      }
    }
  }
}

}  // namespace
}  // namespace hearsay
