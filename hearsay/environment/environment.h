#pragma once

// The other side of the game: fixes the losses and the graph of the coming round before the learner
// moves, and is told afterwards what was played. An environment that uses what was played is
// adaptive; the others are oblivious, and several runs may share one.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/base/catalogue_entry.h"
#include "hearsay/environment/losses.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Valid until the environment is asked for the next round.
struct Round {
  std::span<const double> losses;  // in [0, 1], one an arm
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

  // The state as numbers; see Losses.
  virtual std::vector<double> save() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

// Graphs over time, round after round.
class GraphSequence {
 public:
  GraphSequence() = default;
  GraphSequence(const GraphSequence&) = delete;
  GraphSequence& operator=(const GraphSequence&) = delete;
  virtual ~GraphSequence() = default;

  virtual const Graph& next() = 0;

  // Continues after so many rounds; a sequence is a function of the round.
  virtual void restore(std::uint64_t rounds) = 0;
};

namespace graphs {

// One graph that stays.
std::unique_ptr<GraphSequence> fixed(Graph graph);

// Each of `graphs` for `rounds_each` rounds, over and over. At least one; all of one size.
std::unique_ptr<GraphSequence> alternating(std::vector<Graph> graphs, std::uint64_t rounds_each);

// A new graph in every round: make(round), rounds counted from 1.
std::unique_ptr<GraphSequence> redrawn(std::function<Graph(std::uint64_t round)> make);

std::span<const CatalogueEntry> catalogue();

}  // namespace graphs

// Losses from one source, graphs from another.
std::unique_ptr<Environment> make_environment(std::unique_ptr<Losses> losses,
                                              std::unique_ptr<GraphSequence> graphs);

}  // namespace hearsay
