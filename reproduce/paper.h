#pragma once

// The experiments of the paper (Kocak, Neu, Valko, AISTATS 2016) as values:
//
//   random-graphs  the effective independence number of random graphs, by size
//   grid           the same for grids on the unit square, by side
//   comparison     the learners on the 5 x 5 grid: the comparison at R = 1 and R = 2, the static
//                  rates, and regret beside its certificate
//
// and one that is not in the paper and is run only if it is named:
//
//   worlds         every learner of the catalogue in many worlds (worlds.h)
//
// The experiments of the part `comparison` are files of experiments/. The scale sets their numbers
// of sequences, repetitions and thresholds.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "reproduce/graph_studies.h"

namespace hearsay::reproduce {

enum class PaperScale : std::uint8_t {
  quick,  // seconds: fewer graphs, sizes, thresholds, sequences and runs
  full,   // half a minute: as in the paper, but on several loss sequences
  large,  // minutes: with larger random graphs
};

inline constexpr std::array<std::string_view, 4> kParts = {"random-graphs", "grid", "comparison",
                                                           "worlds"};

// How many of these, from the first on, are parts of the paper and run by default.
inline constexpr std::size_t kPaperParts = 3;

// The parts that are named, each once and in the order above; those of the paper if none is named.
// Throws Error for an unknown name.
std::vector<std::string> ordered_parts(const std::vector<std::string>& names);

// An experiment of the part `comparison`.
struct PaperComparison {
  std::string_view name;           // of its file in experiments/
  std::size_t sequences = 1;       // at the full scale
  bool sweeps_thresholds = false;  // shown for the first sequence alone too, as in the paper
};

// Learners whose regrets are close need many sequences to be distinguished; a sweep of thresholds
// has too many cells for that.
inline constexpr std::array<PaperComparison, 4> kPaperComparisons = {{
    {"comparison", 5, true},
    {"comparison-noisy", 5, true},
    {"rates", 20, false},
    {"certificates", 5, false},
}};

struct PaperExperiments {
  PaperScale scale = PaperScale::full;
  std::uint64_t seed = 1;
  RandomGraphs random_graphs;
  UnitSquareGrids grid;
  std::vector<Experiment> comparison;  // in the order of kPaperComparisons
  std::vector<Experiment> worlds;      // in the order of all_worlds()
};

PaperExperiments paper_experiments(PaperScale scale, std::uint64_t seed);

// These parts as TOML: all that their results depend on.
std::string to_toml(const PaperExperiments& experiments, const std::vector<std::string>& parts);

}  // namespace hearsay::reproduce
