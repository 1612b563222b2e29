#pragma once

// An experiment made ready to run: its graphs are made, its sweeps are expanded into cells, and its
// runs are divided into units of work. The units depend only on the experiment, so they are the
// same for every thread, process, shard and checkpoint.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/environment/environment.h"
#include "hearsay/experiment/experiment.h"
#include "hearsay/play/run.h"

namespace hearsay {

// The runs of one cell on one sequence with the repetitions from `begin` up to, not including,
// `end`.
struct Unit {
  std::size_t sequence = 0;
  std::size_t cell = 0;
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t runs() const { return end - begin; }
};

class Plan {
 public:
  // Throws Error at what cannot be run: a parameter out of range, losses for another number of
  // arms.
  explicit Plan(Experiment experiment);
  Plan(Plan&&) noexcept;
  ~Plan();

  const Experiment& experiment() const { return experiment_; }

  // A checksum of everything that the results depend on.
  const std::string& fingerprint() const { return fingerprint_; }

  std::size_t arms() const { return arms_; }
  std::span<const Cell> cells() const { return cells_; }
  std::span<const std::uint64_t> points() const { return points_; }
  std::span<const Unit> units() const { return units_; }

  // A new environment at its first round. The same sequence has the same losses and graphs. May be
  // called from any thread.
  std::unique_ptr<Environment> environment(std::size_t sequence) const;

  // The graph of the first round of the first sequence.
  Graph first_graph() const;

  // The key of a run, which does not depend on the cell: all learners have the same draws and
  // noise.
  RunKey run_key(std::size_t sequence, std::size_t repetition) const {
    return {experiment_.seed, sequence, repetition};
  }

 private:
  class LossTables;
  class DrawnGraphs;

  Graph graph(std::size_t index, std::size_t sequence) const;
  std::size_t unit_size(const Cell& cell, const Environment& environment) const;

  Experiment experiment_;
  std::string fingerprint_;
  // One for each of GraphSettings::graphs; empty if the graph is random.
  std::vector<std::optional<Graph>> graphs_;
  std::unique_ptr<DrawnGraphs> drawn_graphs_;
  std::unique_ptr<LossTables> loss_tables_;  // null if losses are drawn round by round
  std::size_t arms_ = 0;
  std::vector<Cell> cells_;
  std::vector<std::uint64_t> points_;
  std::vector<Unit> units_;
};

}  // namespace hearsay
