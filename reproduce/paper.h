#pragma once

// The experiments of the paper (Kocak, Neu, Valko, AISTATS 2016) as values, ready to be run:
//
//   random-graphs  the effective independence number of random graphs, by size
//   grid           the same of grids on the unit square, by side
//   comparison     the learners on the 5 x 5 grid: the comparison at R = 1 and R = 2, the static
//                  rates, and regret beside its certificate
//
// What comparison runs are files of experiments/, with numbers of sequences and runs by the scale.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "reproduce/effective_independence.h"

namespace hearsay {

enum class PaperScale : std::uint8_t {
  quick,  // seconds: fewer graphs, sizes, thresholds, sequences and runs
  full,   // a minute or two: as the paper has it, and several loss sequences
  large,  // minutes: with larger random graphs
};

inline constexpr std::array<std::string_view, 3> kPaperParts = {"random-graphs", "grid",
                                                                "comparison"};

// By name, in the order of PaperExperiments::comparison.
inline constexpr std::array<std::string_view, 4> kPaperComparisons = {
    "comparison", "comparison-noisy", "rates", "certificates"};

struct PaperExperiments {
  PaperScale scale = PaperScale::full;
  std::uint64_t seed = 1;
  RandomGraphs random_graphs;
  UnitSquareGrids grid;
  std::vector<Experiment> comparison;
};

PaperExperiments paper_experiments(PaperScale scale, std::uint64_t seed);

// What these parts are, as TOML: all that their results depend on.
std::string to_toml(const PaperExperiments& experiments, const std::vector<std::string>& parts);

}  // namespace hearsay
