#pragma once

// The environment fixes the losses and the graph of the coming round before the learner chooses,
// and receives the arm played afterwards. An environment that uses the arm played is adaptive. All
// others are oblivious, and several runs may share one.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/environment/losses.h"
#include "hearsay/graph/graph.h"
#include "hearsay/random/stream.h"

namespace hearsay {

// Valid until the next call of Environment::next().
struct Round {
  std::span<const double> losses;  // in [0, 1], one for each arm
  const Graph& graph;
};

class Environment {
 public:
  Environment() = default;
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  virtual ~Environment() = default;

  virtual std::size_t arms() const = 0;
  virtual bool is_adaptive() const = 0;
  virtual Round next() = 0;
  virtual void played(Arm arm) = 0;

  // The state as numbers, with the contract of Losses::save() and Losses::restore().
  virtual std::vector<double> save() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

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

// A new graph make(round) in every round; rounds are counted from 1.
std::unique_ptr<GraphSequence> redrawn(std::function<Graph(std::uint64_t round)> make);

// In every round, each arc of `probabilities` exists with a probability equal to its weight,
// independently of all others, and then has weight 1. An arm always shows its own loss exactly.
// Rounds are counted from 1.
std::unique_ptr<GraphSequence> drawn(const Graph& probabilities, const Stream& stream);

std::span<const CatalogueEntry> catalogue();

}  // namespace graphs

// Combines losses and graphs. If they do not have the same number of arms, next() throws Error.
std::unique_ptr<Environment> make_environment(std::unique_ptr<Losses> losses,
                                              std::unique_ptr<GraphSequence> graphs);

}  // namespace hearsay
