#pragma once

// The description of an experiment as a value: which learners are played in which environments, and
// how often. Experiment files hold it (experiment_file.h reads and writes them), and results depend
// on nothing else.
//
//   environment   graphs, losses, noise and a horizon
//   sequences     how many times random losses and graphs are drawn
//   learners      each with lists of parameters: one cell for every combination
//   repetitions   runs of every cell on every sequence, which differ in draws and noise

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/fields.h"
#include "hearsay/environment/graph_sequence.h"
#include "hearsay/environment/losses.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// The file that data was read from. `checksum` is that of its bytes, so that a later run of the
// experiment notices if the file has changed. `in_memory` has the bytes if the program had them in
// memory: `path` is then the name of the file that run_experiment() writes to its output directory.
struct DataFile {
  std::string path;
  std::string checksum;
  std::shared_ptr<const std::string> in_memory = {};
};

// A graph of a family that is registered, with its options.
struct FamilyGraph {
  explicit FamilyGraph(const GraphFamily& of) : family(&of), options(of.defaults) {}
  FamilyGraph(const GraphFamily& of, AnyOptions given) : family(&of), options(std::move(given)) {}

  const GraphFamily* family;
  AnyOptions options;
};

// A graph that was read from a file.
struct FileGraph {
  DataFile file;
  Graph graph;
};

using GraphSource = std::variant<FamilyGraph, FileGraph>;

// A kind of graph sequence with its options, and the graphs that it takes.
struct GraphSettings {
  GraphSettings() : GraphSettings(graph_kinds().front()) {}
  explicit GraphSettings(const GraphKind& of) : kind(&of), options(of.defaults) {}

  const GraphKind* kind;
  AnyOptions options;
  std::vector<GraphSource> graphs;  // one, unless the kind takes several
};

// Losses of a kind that is registered, with its options.
struct LossesOfKind {
  LossesOfKind() : LossesOfKind(loss_kinds().front()) {}
  explicit LossesOfKind(const LossKind& of) : kind(&of), options(of.defaults) {}

  const LossKind* kind;
  AnyOptions options;
};

// Losses that were read from a file. Their kind, which is not registered, is "file".
struct LossesInFile {
  static constexpr CatalogueEntry kEntry = {"file", "given losses, rounds x arms (.csv, .npy)",
                                            "docs/experiments.md"};

  DataFile file;
  std::shared_ptr<const losses::Table> table;
};

using LossSource = std::variant<LossesOfKind, LossesInFile>;

struct EnvironmentSettings {
  GraphSettings graph;
  LossSource losses;
  Noise noise;
  std::uint64_t horizon = 0;  // rounds

  // Only the horizon; graph, losses and noise have tables of their own.
  static const FieldTable<EnvironmentSettings>& fields();
};

// A learner with a list of values for every parameter: one list for each of LearnerSpec::fields().
struct LearnerSweep {
  // Every list has one value, the learner's default.
  explicit LearnerSweep(const std::string& name);

  std::string label;
  std::string learner;
  std::vector<std::vector<FieldValue>> values;

  // The list of a parameter, which must be one of LearnerSpec::fields().
  std::vector<FieldValue>& of(std::string_view parameter);
};

enum class Spacing : std::uint8_t { linear, log };

// Rounds at which a run is recorded: `list`, or, if that is empty, `count` of them. The last is
// always the horizon.
struct RecordedRounds {
  std::vector<std::uint64_t> list;
  std::size_t count = 50;
  Spacing spacing = Spacing::linear;
};

struct Experiment {
  std::string name;
  std::string version;  // the version of hearsay that wrote the file; empty if a user wrote it
  std::uint64_t seed = 1;
  std::size_t repetitions = 10;
  std::size_t sequences = 1;
  RecordedRounds points;
  EnvironmentSettings environment;
  std::vector<LearnerSweep> learners;

  // seed, repetitions and sequences.
  static const FieldTable<Experiment>& fields();
};

// Limits of one experiment.
inline constexpr std::size_t kMostPoints = 100'000;
inline constexpr std::size_t kMostCells = 100'000;

// One learner with one choice of its parameters: a curve of the result.
struct Cell {
  std::string label;
  LearnerSpec learner;
};

// A parameter of a learner as a column of the results. The value is empty if the learner does not
// take the parameter.
struct Parameter {
  std::string_view key;
  std::string value;
};
std::vector<Parameter> parameters(const LearnerSpec& learner);

// Throws Error, at the name of the key in a file, unless the experiment has learners, graphs that
// its kind of graph sequence takes, and numbers in their ranges. Whether the learners can be played
// is checked by Plan.
void check_experiment(const Experiment& experiment);

// One cell for every combination; the last parameter changes fastest. Throws Error for more than
// kMostCells.
std::vector<Cell> expand(const LearnerSweep& sweep, std::size_t arms);

// The recorded rounds in increasing order, from 1 to `horizon`, which is the last.
std::vector<std::uint64_t> recorded_rounds(const RecordedRounds& settings, std::uint64_t horizon);

}  // namespace hearsay
