#include "reproduce/paper.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/base/text.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/version.h"
#include "reproduce/built_in.h"
#include "reproduce/worlds.h"

namespace hearsay::reproduce {
namespace {

std::string_view text_of(std::string_view name) {
  const auto found = std::ranges::find(built_in_experiments(), name, &BuiltInExperiment::name);
  assert(found != built_in_experiments().end());
  return found->text;
}

Experiment make_experiment(const PaperComparison& comparison, PaperScale scale,
                           std::uint64_t seed) {
  const bool quick = scale == PaperScale::quick;
  const std::size_t sequences = quick ? 2 : comparison.sequences;
  std::vector<Override> overrides = {fmt::format("seed={}", seed),
                                     fmt::format("sequences={}", sequences)};
  if (quick) {
    overrides.emplace_back("repetitions=3");
  }
  if (comparison.sweeps_thresholds) {
    overrides.emplace_back("points=10");
    for (const char* learner : {"exp3-ixb", "exp3-ixt"}) {
      if (quick) {
        overrides.emplace_back(fmt::format("learners.{}.threshold=[0,0.2,0.4,0.6,0.8,1]", learner));
      }
    }
  }
  return parse_experiment(text_of(comparison.name), fmt::format("{}.toml", comparison.name),
                          overrides);
}

std::string_view name_of(PaperScale scale) {
  switch (scale) {
    case PaperScale::quick:
      return "quick";
    case PaperScale::large:
      return "large";
    default:
      return "full";
  }
}

}  // namespace

std::vector<std::string> ordered_parts(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::ranges::find(kParts, name) == kParts.end()) {
      throw Error("reproduce",
                  fmt::format("{}, {}", in_quotes(name), expected_one_of(name, kParts)));
    }
  }
  std::vector<std::string> ordered;
  if (names.empty()) {
    ordered.assign(kParts.begin(), kParts.begin() + kPaperParts);
  }
  for (const std::string_view part : kParts) {
    if (std::ranges::find(names, part) != names.end()) {
      ordered.emplace_back(part);
    }
  }
  return ordered;
}

PaperExperiments paper_experiments(PaperScale scale, std::uint64_t seed) {
  PaperExperiments experiments;
  experiments.scale = scale;
  experiments.seed = seed;
  RandomGraphs& graphs = experiments.random_graphs;
  graphs.seed = seed;
  if (scale == PaperScale::quick) {
    graphs.graphs = 20;
    graphs.sizes = {5, 10, 20, 40, 50, 60, 80, 100, 120, 200};
    experiments.grid.last_side = 15;
  } else if (scale == PaperScale::large) {
    graphs.sizes.insert(graphs.sizes.end(), kLargeSizes.begin(), kLargeSizes.end());
  }
  for (const PaperComparison& comparison : kPaperComparisons) {
    experiments.comparison.push_back(make_experiment(comparison, scale, seed));
  }
  experiments.worlds = world_experiments(scale == PaperScale::quick   ? WorldScale::quick
                                         : scale == PaperScale::large ? WorldScale::large
                                                                      : WorldScale::full,
                                         seed);
  return experiments;
}

std::string to_toml(const PaperExperiments& experiments, const std::vector<std::string>& parts) {
  const auto has = [&](std::string_view part) {
    return std::ranges::find(parts, part) != parts.end();
  };
  std::string toml = fmt::format(
      "# What `hearsay reproduce` ran: the same parts, scale and seed give the same bytes.\n"
      "version = \"{}\"\nparts = [\"{}\"]\nscale = \"{}\"\nseed = {}\n",
      kVersion, fmt::join(parts, "\", \""), name_of(experiments.scale), experiments.seed);
  if (has("random-graphs")) {
    toml += "\n[random-graphs] # directed, every weight uniform on [low, high]\nweights = [";
    for (const WeightLaw& law : experiments.random_graphs.laws) {
      toml += fmt::format("{}[{:.1f}, {:.1f}]", toml.back() == '[' ? "" : ", ", law.low, law.high);
    }
    toml += fmt::format("]\narms = [{}]\ngraphs = {} # of each\n",
                        fmt::join(experiments.random_graphs.sizes, ", "),
                        experiments.random_graphs.graphs);
  }
  if (has("grid")) {
    toml += "\n[grid] # side x side arms that fill [0, 1]^2, at distance d\nweights = [";
    for (const DistanceWeight& weight : experiments.grid.weights) {
      toml += fmt::format("{}\"{}\"", toml.back() == '[' ? "" : ", ", formula(weight));
    }
    toml += fmt::format("]\nfirst_side = {}\nlast_side = {}\n", experiments.grid.first_side,
                        experiments.grid.last_side);
  }
  const auto add = [&](std::string_view part, const std::vector<Experiment>& parts_of_it) {
    toml += "\n# Each is experiment-NAME.toml beside this file, for `hearsay run`.\n";
    for (const Experiment& experiment : parts_of_it) {
      toml += fmt::format("[{}.{}]\nsequences = {}\nrepetitions = {}\nhorizon = {}\n", part,
                          experiment.name, experiment.sequences, experiment.repetitions,
                          experiment.environment.horizon);
    }
  };
  if (has("comparison")) {
    add("comparison", experiments.comparison);
  }
  if (has("worlds")) {
    add("worlds", experiments.worlds);
  }
  return toml;
}

}  // namespace hearsay::reproduce
