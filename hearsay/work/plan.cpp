#include "hearsay/work/plan.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/run_group.h"
#include "hearsay/simd/lanes.h"

namespace hearsay {
namespace {

// The points of all runs are kept in memory: 6 GiB.
constexpr std::size_t kMostCurvePoints = std::size_t{1} << 28U;

// Losses that are kept in memory: 64 MiB.
constexpr std::size_t kMostLosses = std::size_t{1} << 23U;

}  // namespace

// The losses of each sequence, drawn once for all units on it: drawing random walks takes longer
// than sixteen learners take to play on them.
class Plan::LossTables {
 public:
  LossTables(std::size_t sequences, std::size_t rounds) : rounds_(rounds), tables_(sequences) {}

  std::shared_ptr<const losses::Table> of(std::size_t sequence,
                                          const std::function<std::unique_ptr<Losses>()>& draw) {
    const std::scoped_lock lock(mutex_);
    if (!tables_[sequence]) {
      const std::unique_ptr<Losses> drawn = draw();
      losses::Table table{drawn->arms(), std::vector<double>(rounds_ * drawn->arms())};
      for (std::size_t round = 0; round < rounds_; ++round) {
        drawn->next(std::span(table.values).subspan(round * table.arms, table.arms));
        note_work(table.arms);
      }
      tables_[sequence] = std::make_shared<const losses::Table>(std::move(table));
    }
    return tables_[sequence];
  }

 private:
  std::size_t rounds_;
  std::mutex mutex_;
  std::vector<std::shared_ptr<const losses::Table>> tables_;
};

// The random graphs of the sequence that was used last. Units come in the order of their sequences,
// and those on one sequence share its graphs.
class Plan::DrawnGraphs {
 public:
  explicit DrawnGraphs(std::size_t graphs) : drawn_(graphs) {}

  Graph of(std::size_t index, std::size_t sequence, const std::function<Graph()>& draw) {
    const std::scoped_lock lock(mutex_);
    std::optional<Drawn>& drawn = drawn_[index];
    if (!drawn || drawn->sequence != sequence) {
      drawn.reset();  // frees the memory before the next graph takes its own
      drawn = {sequence, draw()};
    }
    return drawn->graph;
  }

 private:
  struct Drawn {
    std::size_t sequence;
    Graph graph;
  };

  std::mutex mutex_;
  std::vector<std::optional<Drawn>> drawn_;
};

Plan::Plan(Plan&&) noexcept = default;
Plan::~Plan() = default;

namespace {

Experiment checked(Experiment experiment) {
  check_experiment(experiment);
  return experiment;
}

}  // namespace

Plan::Plan(Experiment experiment)
    : experiment_(checked(std::move(experiment))),
      fingerprint_(checksum_text(to_toml(experiment_))) {
  const EnvironmentSettings& settings = experiment_.environment;
  for (const GraphSource& source : settings.graph.graphs) {
    graphs_.emplace_back(is_random(source)
                             ? std::nullopt
                             : std::optional(make_graph(source, Stream(0, Purpose::graph), 0)));
  }
  drawn_graphs_ = std::make_unique<DrawnGraphs>(graphs_.size());
  arms_ = graph(0, 0).arms();
  check_losses(settings.losses, arms_, settings.horizon);
  const std::unique_ptr<Environment> first_environment = environment(0);
  for (const LearnerSweep& sweep : experiment_.learners) {
    for (Cell& cell : expand(sweep, arms_)) {
      check_learner(cell.learner);
      cells_.push_back(std::move(cell));
    }
  }
  points_ = recorded_rounds(experiment_.points, settings.horizon);
  const std::size_t runs = experiment_.sequences * cells_.size() * experiment_.repetitions;
  if (runs > kMostCurvePoints / points_.size()) {
    throw Error("points", fmt::format("{} points of {} runs, expected at most {} in all: fewer "
                                      "points or fewer repetitions",
                                      points_.size(), runs, kMostCurvePoints));
  }
  if (settings.horizon > std::numeric_limits<std::uint64_t>::max() / runs) {
    throw Error("environment.horizon",
                fmt::format("{} rounds of {} runs, expected fewer than 2^64 in all",
                            settings.horizon, runs));
  }
  std::vector<std::size_t> sizes;
  for (const Cell& cell : cells_) {
    sizes.push_back(unit_size(cell, *first_environment));
  }
  for (std::size_t sequence = 0; sequence < experiment_.sequences; ++sequence) {
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const std::size_t size = sizes[cell];
      for (std::size_t begin = 0; begin < experiment_.repetitions; begin += size) {
        units_.push_back({sequence, cell, begin, std::min(begin + size, experiment_.repetitions)});
      }
    }
  }
  if (!first_environment->is_adaptive() && !std::holds_alternative<LossesInFile>(settings.losses) &&
      settings.horizon <= kMostLosses / (arms_ * experiment_.sequences)) {
    loss_tables_ = std::make_unique<LossTables>(experiment_.sequences, settings.horizon);
  }
}

Graph Plan::graph(std::size_t index, std::size_t sequence) const {
  if (graphs_[index]) {
    return *graphs_[index];
  }
  return drawn_graphs_->of(index, sequence, [&] {
    const Stream stream(experiment_.seed, Purpose::graph, sequence);
    return make_graph(experiment_.environment.graph.graphs[index], stream, index);
  });
}

Graph Plan::first_graph() const {
  const GraphSettings& settings = experiment_.environment.graph;
  if (settings.kind->takes == GraphsTaken::random_family) {
    return make_graph(settings.graphs.front(), Stream(experiment_.seed, Purpose::graph, 0), 1);
  }
  return graph(0, 0);
}

std::unique_ptr<Environment> Plan::environment(std::size_t sequence) const {
  const GraphSettings& settings = experiment_.environment.graph;
  const Stream stream(experiment_.seed, Purpose::graph, sequence);
  GraphKindInput input = {.options = settings.options, .stream = stream};
  if (settings.kind->takes == GraphsTaken::random_family) {
    input.draw = [source = settings.graphs.front(), stream](std::uint64_t round) {
      return make_graph(source, stream, round);
    };
  } else {
    for (std::size_t i = 0; i < graphs_.size(); ++i) {
      input.graphs.push_back(graph(i, sequence));
    }
  }
  const auto draw = [&] {
    return make_losses(experiment_.environment.losses, arms_,
                       Stream(experiment_.seed, Purpose::losses, sequence));
  };
  return make_environment(
      loss_tables_ ? losses::replayed(loss_tables_->of(sequence, draw)) : draw(),
      settings.kind->make(input));
}

// The number of runs of a cell in one unit, if the cell has enough runs. The runs of a unit share
// their environment and are played in lockstep if the learner allows it, so larger units are
// faster, and powers of two are best. But there should be enough units to keep many cores busy to
// the end, and a round of all runs should not take long. Runs in lockstep fill at least one vector,
// unless a round would take long: a vector takes as long as three separate runs, so smaller units
// would be faster only with cores for more than a third of all runs.
std::size_t Plan::unit_size(const Cell& cell, const Environment& environment) const {
  constexpr std::size_t kVector = 8;
  constexpr std::size_t kEnoughUnits = 32;
  constexpr std::size_t kMostRuns = 2 * kLanes;
  constexpr std::size_t kMostWeights = std::size_t{1} << 24U;
  const std::size_t runs = experiment_.sequences * cells_.size() * experiment_.repetitions;
  const std::size_t fewest = plays_in_lockstep(cell.learner, experiment_.environment.noise,
                                               environment, experiment_.repetitions)
                                 ? kVector
                                 : 1;
  const std::size_t by_count = std::clamp(std::bit_floor(runs / kEnoughUnits), fewest, kMostRuns);
  const std::size_t by_time = kMostWeights / std::min(arms_ * arms_, kMostWeights);
  return std::max<std::size_t>(1, std::min(by_count, by_time));
}

}  // namespace hearsay
