#pragma once

// The other side of the game: fixes the losses and the graph of the coming round before the learner
// moves, and is told afterwards what was played. One that ignores that is oblivious; one that does
// not is adaptive, and may use the whole past.

#include <cstdint>
#include <memory>
#include <span>

#include "hearsay/environment/losses.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Holds until the environment is asked for the next one.
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
  virtual Round next() = 0;
  virtual void played(Arm arm) = 0;

  // Where it stands, as numbers; see Losses.
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

  // Graphs are functions of the round: goes on after this many.
  virtual void restore(std::uint64_t rounds) = 0;
};

namespace graphs {

// One graph that stays.
std::unique_ptr<GraphSequence> fixed(Graph graph);

// Each of `graphs` for `rounds_each` rounds, over and over. At least one; all of one size.
std::unique_ptr<GraphSequence> alternating(std::vector<Graph> graphs, std::uint64_t rounds_each);

// Directed weights drawn anew every round, uniform on [low, high].
struct Redrawn {
  std::size_t arms = 0;
  double low = 0;
  double high = 1;
};
std::unique_ptr<GraphSequence> redrawn(const Redrawn& options, const Stream& stream);

std::span<const CatalogueEntry> catalogue();

}  // namespace graphs

// Losses from one source, graphs from another.
std::unique_ptr<Environment> make_environment(std::unique_ptr<Losses> losses,
                                              std::unique_ptr<GraphSequence> graphs);

}  // namespace hearsay
