#pragma once

// An experiment as a value: learners against environments, over and over. It is what an experiment
// file says (spec.h reads and writes those) and all that a result depends on.
//
//   environment   graphs, losses, noise and a horizon; `sequences` of them, which differ in what is
//                 random about the losses and the graphs
//   learners      each with lists of parameters: one cell for every combination
//   repetitions   of every learner on every sequence, which differ in draws and noise

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hearsay/environment/losses.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// Data that lives in a file. `checksum` is that of its bytes, so that a changed file is noticed.
struct DataFile {
  std::string path;
  std::string checksum;

  bool operator==(const DataFile&) const = default;
};

// The families of graphs whose one option is a size.
struct Star {
  std::size_t arms = 25;
};
struct Cycle {
  std::size_t arms = 25;
};
struct Complete {
  std::size_t arms = 25;
};
struct Empty {
  std::size_t arms = 25;
};
struct King {
  std::size_t side = 5;
};
struct Keller {
  std::size_t dimension = 4;
};

// One graph: of a family, or in a file.
using GraphSource = std::variant<Grid, Uniform, ErdosRenyi, Cliques, Star, Cycle, Complete, Empty,
                                 Constant, King, Hamming, Johnson, Keller, DataFile>;

enum class GraphKind : std::uint8_t { fixed, alternating, redrawn };

struct GraphPlan {
  GraphKind kind = GraphKind::fixed;
  std::vector<GraphSource> graphs;   // one; several where they alternate
  std::uint64_t rounds_each = 1000;  // where they alternate
};

// Their `arms` are those of the graph.
using LossPlan = std::variant<losses::Walks, losses::Bernoulli, losses::Switching, losses::Trap,
                              losses::Adversary, DataFile>;

struct EnvironmentPlan {
  GraphPlan graph;
  LossPlan losses;
  Noise noise;
  std::uint64_t horizon = 0;  // rounds
};

// A learner with a list for every parameter. nullopt: adaptive, as the theory has it, or none.
struct LearnerSweep {
  std::string label;
  std::string learner;
  std::vector<double> noise_bound;
  std::vector<std::optional<double>> rate = {std::nullopt};
  std::vector<std::optional<double>> exploration = {std::nullopt};
  std::vector<std::optional<double>> threshold = {std::nullopt};
  std::vector<std::optional<double>> delta = {std::nullopt};
  std::vector<std::optional<Tuning>> tuning = {std::nullopt};
  std::vector<Engine> engine = {Engine::exact};
};

enum class Spacing : std::uint8_t { linear, log };

// Rounds at which a run is recorded: `list`, or where that is empty `count` of them. The last is
// always the horizon.
struct PointPlan {
  std::vector<std::uint64_t> list;
  std::size_t count = 50;
  Spacing spacing = Spacing::linear;
};

struct Experiment {
  std::string name;
  std::string version;  // of hearsay, where it wrote the file; else empty
  std::uint64_t seed = 1;
  std::size_t repetitions = 10;
  std::size_t sequences = 1;
  PointPlan points;
  EnvironmentPlan environment;
  std::vector<LearnerSweep> learners;
};

// One learner with one choice of its parameters: a curve of the result.
struct Cell {
  std::string label;
  LearnerSpec learner;
};

// The parameters of a learner by the words of the file, in the order of LearnerSweep, as text:
// empty where it takes none.
struct Parameter {
  std::string_view key;
  std::string value;
};
std::vector<Parameter> parameters(const LearnerSpec& learner);

// In the order of the file; within a learner, the later parameter of LearnerSweep changes faster.
std::vector<Cell> expand(const LearnerSweep& sweep, std::size_t arms);

// Increasing, each once, from 1 to `horizon`, which is the last.
std::vector<std::uint64_t> points_of(const PointPlan& plan, std::uint64_t horizon);

}  // namespace hearsay
