#pragma once

// The environment fixes the losses and the graph of the coming round before the learner chooses,
// and receives the arm played afterwards. An environment that uses the arm played is adaptive. All
// others are oblivious, and several runs may share one.

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "hearsay/environment/graph_sequence.h"
#include "hearsay/environment/losses.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Valid until the next call of RoundSource::next().
struct Round {
  std::span<const double> losses;  // in [0, 1], one for each arm
  const Graph& graph;
};

// What fixes the rounds of one run (play/run.h).
class RoundSource {
 public:
  RoundSource() = default;
  RoundSource(const RoundSource&) = delete;
  RoundSource& operator=(const RoundSource&) = delete;
  virtual ~RoundSource() = default;

  virtual std::size_t arms() const = 0;
  virtual Round next() = 0;
  virtual void played(Arm arm) = 0;
};

// A source of rounds for the runs of an experiment. It also says whether several runs may share it,
// and its state can be saved, so that runs can continue after a pause.
class Environment : public RoundSource {
 public:
  virtual bool is_adaptive() const = 0;

  // The state as numbers, with the contract of Losses::save() and Losses::restore().
  virtual std::vector<double> save() const = 0;
  virtual void restore(std::span<const double> state) = 0;
};

// Combines losses and graphs. If they do not have the same number of arms, next() throws Error.
std::unique_ptr<Environment> make_environment(std::unique_ptr<Losses> losses,
                                              std::unique_ptr<GraphSequence> graphs);

}  // namespace hearsay
