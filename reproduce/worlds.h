#pragma once

// Every learner of the catalogue in several environments, called worlds, which favour different
// learners. Learners that are added to the catalogue are included automatically.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/spec.h"
#include "hearsay/runner/run_experiment.h"

namespace hearsay::reproduce {

enum class WorldScale : std::uint8_t {
  quick,  // seconds: 500 rounds on two sequences of the small worlds
  full,   // minutes: 5000 rounds on 40 sequences of the small worlds
  large,  // hours: the large worlds too, 10^5 rounds on 40 sequences
};

struct World {
  std::string_view name;
  std::string_view summary;
  std::string_view environment;  // the tables of its experiment, without horizon and noise
  std::size_t alpha = 0;         // the independence number of the arcs of weight 1
  bool is_large = false;

  // If set, regret is measured against the best arm of each segment, whose mean loss this is;
  // otherwise against the best fixed arm.
  std::optional<double> best_mean = std::nullopt;
};
std::span<const World> all_worlds();

// What the worlds have in common, a sentence.
inline constexpr std::string_view kCommonToWorlds =
    "A world has ten arms, losses of 0 or 1 with a gap of 0.1 and noise in [-1, 1], unless its "
    "line says otherwise.";

// Parameters of a learner with their values as TOML.
using WorldParameters = std::vector<std::pair<std::string, std::string>>;

// The parameters that the learner requires, with what is true in a world of so many rounds or, for
// `threshold`, a guess. Throws Error if there is no value for one of them.
WorldParameters required_parameters(const LearnerRow& row, const World& world, std::size_t rounds);

// One experiment, named world-WORLD, for each world of this scale.
std::vector<Experiment> world_experiments(WorldScale scale, std::uint64_t seed);

// What a learner must know besides the graph of each round after the draw, separated by commas:
// "noise bound", the names of its required parameters and of `switches`, and "graph before
// the draw", as far as they apply.
std::string required_knowledge(const LearnerSpec& spec);

struct WorldRow {
  std::string world;
  std::string label;
  std::string knows;
  double regret = 0;
  std::optional<double> standard_error;
  std::size_t rank = 0;  // in its world; the least regret is 1

  // (regret - least regret) / (regret of uniform - least regret): 0 is the best, 1 no better than
  // uniform.
  double relative = 0;
  std::optional<double> bound;
};

// `result`: of the experiment of `world`.
std::vector<WorldRow> world_rows(const World& world, const ExperimentResult& result);

std::string worlds_csv(std::span<const WorldRow> rows);

}  // namespace hearsay::reproduce
