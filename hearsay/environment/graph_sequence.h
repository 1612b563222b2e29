#pragma once

// Graph sequences: the graph of each round. The graph is a function of the round, and never depends
// on what was played.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/base/fields.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// The graph of each round.
class GraphSequence {
 public:
  GraphSequence() = default;
  GraphSequence(const GraphSequence&) = delete;
  GraphSequence& operator=(const GraphSequence&) = delete;
  virtual ~GraphSequence() = default;

  virtual const Graph& next() = 0;

  // Continues as if next() had been called `rounds` times. The graph is a function of the round.
  virtual void restore(std::uint64_t rounds) = 0;
};

namespace graphs {

// The same graph in every round.
std::unique_ptr<GraphSequence> fixed(Graph graph);

// Each of `graphs` for `rounds_each` rounds, repeated in a cycle. Throws Error unless there is at
// least one graph, all have the same number of arms, and `rounds_each` is at least 1.
std::unique_ptr<GraphSequence> alternating(std::vector<Graph> graphs, std::uint64_t rounds_each);

// The options of alternating graphs in an experiment.
struct Alternation {
  std::uint64_t rounds_each = 1000;

  static const FieldTable<Alternation>& fields();
};

// A new graph make(round) in every round; rounds are counted from 1.
std::unique_ptr<GraphSequence> redrawn(std::function<Graph(std::uint64_t round)> make);

// In every round, each arc of `probabilities` exists with a probability equal to its weight,
// independently of all others, and then has weight 1. An arm always shows its own loss exactly.
// Rounds are counted from 1.
std::unique_ptr<GraphSequence> drawn(const Graph& probabilities, const Stream& stream);

}  // namespace graphs

// Which graphs of an experiment a kind of graph sequence is made from.
enum class GraphsTaken : std::uint8_t {
  one,            // a graph; if its family is random, it is drawn once for each sequence
  several,        // a list of such graphs
  random_family,  // a random family, from which the kind draws the graph of each round itself
};

struct GraphKindInput {
  AnyOptions options;                                   // those of the kind
  std::vector<Graph> graphs = {};                       // none if the kind takes a random family
  std::function<Graph(std::uint64_t round)> draw = {};  // a graph of the family, if it takes one
  Stream stream;  // for what the kind draws itself, in rounds from 1 on; if graphs[i] is random, it
                  // was drawn from round i of the stream
};

// A kind of graph sequence: all that experiments, their files and `hearsay list` know of it.
struct GraphKind {
  CatalogueEntry entry;
  GraphsTaken takes = GraphsTaken::one;
  AnyOptions defaults;
  std::unique_ptr<GraphSequence> (*make)(const GraphKindInput& input) = nullptr;

  // Only for a kind that shows its graphs in turn, each for the same number of consecutive rounds:
  // that number. From it, estimate_time() knows which graphs come after the first rounds.
  std::uint64_t (*rounds_each)(const AnyOptions& options) = nullptr;
};

// The first is the default.
std::span<const GraphKind> graph_kinds();

}  // namespace hearsay
