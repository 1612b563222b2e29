#include "reproduce/paper_report.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/checksum.h"
#include "hearsay/base/number_text.h"
#include "hearsay/report/series.h"
#include "hearsay/version.h"
#include "reproduce/worlds.h"

namespace hearsay::reproduce {
namespace {

using Kind = Figure::Reference::Kind;
using Scale = Figure::Scale;

const std::vector<std::string> kByLabel = {"label"};

std::vector<Figure::Series> series_by_label(const Experiment& experiment) {
  std::vector<Cell> cells;
  for (const LearnerSweep& sweep : experiment.learners) {
    std::ranges::move(expand(sweep, 1), std::back_inserter(cells));
  }
  return series_of(cells, kByLabel);
}

Figure random_graphs_figure(const RandomGraphs& study) {
  return {.id = "random-graphs",
          .title = "The effective independence number of random graphs",
          .caption = fmt::format(
              "{} directed graphs of each size, weights drawn independently and uniformly; a line "
              "through the means. Dashed: the paper's trends. If the axis of alpha* is linear, a "
              "logarithm of N is a straight line.",
              study.graphs),
          .table = "random-graphs.csv",
          .mark = Figure::Mark::scatter,
          .x = {.column = "arms", .title = "arms N", .scale = Scale::log},
          .y = {.column = "alpha_star", .title = "alpha*", .scale = Scale::log},
          .references = {{.column = "trend", .title = "trend of the paper"}},
          .series = {{{}, "alpha*", false}},
          .panel = "weights",
          .panel_title = "weights"};
}

Figure grid_figure(const UnitSquareGrids& study) {
  std::vector<Figure::Series> series;
  for (const DistanceWeight& weight : study.weights) {
    series.push_back({{formula(weight)}, formula(weight), false});
  }
  return {.id = "grid",
          .title = "The effective independence number of grids on the unit square",
          .caption = fmt::format(
              "k x k arms that fill the unit square, k = {} to {}, for both interpretations of the "
              "paper's weight at distance d. Dashed: the limit of each as the grid is refined. The "
              "paper prints 1/(1+d^2) and \"roughly 30\"; with 1/(1+d^2) all weights are at least "
              "1/3, and alpha* is at most 9.",
              study.first_side, study.last_side),
          .table = "grid.csv",
          .mark = Figure::Mark::points,
          .x = {.column = "side", .title = "side k"},
          .y = {.column = "alpha_star", .title = "alpha*", .from_zero = true},
          .references = {{.column = "limit", .title = "limit", .kind = Kind::of_series}},
          .series_columns = {"weight"},
          .series = series};
}

// For one sequence, as in the paper, or for the average of all.
Figure comparison_figure(const Experiment& experiment, std::size_t sequences) {
  const double noise_bound = experiment.environment.noise.bound;
  const bool single = sequences == 1;
  Figure figure;
  figure.id = fmt::format("{}-{}", experiment.name, single ? "one" : "average");
  figure.title = fmt::format(
      "Regret against the threshold, noise R = {}: {}", noise_bound,
      single ? "one loss sequence" : fmt::format("average of {} loss sequences", sequences));
  figure.caption = fmt::format(
      "Regret after {} rounds on the 5 x 5 grid, by the learning rate, mean of {} runs{}. "
      "Horizontal lines are learners without a threshold.",
      grouped_digits(experiment.environment.horizon), experiment.repetitions,
      single ? " on a single loss sequence, as in the paper" : " on each sequence");
  figure.table = "summary.csv";
  figure.filter = {{"experiment", {experiment.name}}, {"sequences", {fmt::to_string(sequences)}}};
  figure.mark = Figure::Mark::points;
  figure.x = {.column = "threshold", .title = "threshold eps", .scale = Scale::linear_only};
  figure.y = {.column = "regret", .title = "total regret", .from_zero = true};
  figure.bands = regret_bands(sequences, experiment.repetitions);
  if (single && !figure.bands.empty()) {
    std::swap(figure.bands.front(),
              figure.bands.back());  // the standard deviation, as in the paper
  }
  figure.series_columns = kByLabel;
  figure.series = series_by_label(experiment);
  figure.panel = "rate";
  figure.panel_title = "rate";
  return figure;
}

Figure rates_figure(const Experiment& experiment) {
  return {.id = "rates",
          .title = "Regret against the static rate",
          .caption = fmt::format(
              "Regret after {} rounds on the 5 x 5 grid, R = 1, mean of {} runs on each of {} loss "
              "sequences; exp3-ixb and exp3-ixt at threshold 0.6.",
              grouped_digits(experiment.environment.horizon), experiment.repetitions,
              experiment.sequences),
          .table = "summary.csv",
          .filter = {{"experiment", {experiment.name}}},
          .mark = Figure::Mark::points,
          .x = {.column = "rate", .title = "rate", .scale = Scale::log},
          .y = {.column = "regret", .title = "total regret", .from_zero = true},
          .bands = regret_bands(experiment.sequences, experiment.repetitions),
          .series_columns = kByLabel,
          .series = series_by_label(experiment)};
}

Figure certificates_figure(const Experiment& experiment) {
  return {.id = "certificates",
          .title = "Regret over time, and its bound",
          .caption = fmt::format(
              "Adaptive rates, with the exploration of the theorems: every run then has a bound on "
              "its regret (in expectation) that follows from what it saw. Mean of {} runs on each "
              "of {} loss sequences. Dotted: the bound.",
              experiment.repetitions, experiment.sequences),
          .table = "results.csv",
          .filter = {{"experiment", {experiment.name}}},
          .mark = Figure::Mark::curve,
          .x = {.column = "round", .title = "round"},
          .y = {.column = "regret", .title = "regret", .from_zero = true},
          .bands = regret_bands(experiment.sequences, experiment.repetitions),
          .references = {{.column = "bound", .title = "bound", .kind = Kind::bound}},
          .series_columns = kByLabel,
          .series = series_by_label(experiment)};
}

// The figures of each experiment in kPaperComparisons.
std::vector<Figure> comparison_figures(const Experiment& experiment) {
  return {comparison_figure(experiment, 1), comparison_figure(experiment, experiment.sequences)};
}
std::vector<Figure> only_rates_figure(const Experiment& experiment) {
  return {rates_figure(experiment)};
}
std::vector<Figure> only_certificates_figure(const Experiment& experiment) {
  return {certificates_figure(experiment)};
}

// "5,000 rounds", with the worlds that are played for another number of rounds than the first.
std::string rounds_text(const std::vector<Experiment>& worlds) {
  const std::uint64_t first = worlds.front().environment.horizon;
  std::string others;
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    const std::uint64_t horizon = worlds[i].environment.horizon;
    if (horizon != first) {
      others += fmt::format("{}{}: {}", others.empty() ? "" : ", ", all_worlds()[i].name,
                            grouped_digits(horizon));
    }
  }
  return fmt::format("{} rounds{}", grouped_digits(first),
                     others.empty() ? "" : fmt::format(" ({})", others));
}

// `worlds`: the experiments of the first worlds.
HeatMap worlds_map(const std::vector<Experiment>& worlds) {
  std::vector<HeatMap::Column> columns;
  for (const World& world : all_worlds().first(worlds.size())) {
    columns.push_back({std::string(world.name), std::string(world.summary)});
  }
  return {
      .id = "worlds",
      .title = "Every learner in every world",
      .caption = fmt::format(
          "Regret after {}, mean of {} loss sequences, adaptive rates. The colour says where it "
          "lies between the regret of the best learner of the world, which is in a frame, and that "
          "of uniform play. Below each name: what the learner must know. Every learner is shown "
          "the graph of a round after the draw. In the world switch the regret is against the best "
          "arm of each period. The learners that are best on average come first. {}",
          rounds_text(worlds), worlds.front().sequences, kCommonToWorlds),
      .table = "worlds.csv",
      .row = "label",
      .row_title = "Learner",
      .column = "world",
      .value = "regret",
      .error = "regret_standard_error",
      .colour = "relative",
      .notes = {"knows"},
      .columns = std::move(columns)};
}

// The figure that says most about the paper's learners, of those that the report has.
std::string highlight_of(const Report& report) {
  for (const char* id : {"rates", "random-graphs", "grid"}) {
    if (std::ranges::find(report.figures, id, &Figure::id) != report.figures.end()) {
      return id;
    }
  }
  return "";
}

std::string scale_text(PaperScale scale) {
  switch (scale) {
    case PaperScale::quick:
      return "quick: fewer graphs, sizes, thresholds, sequences and runs";
    case PaperScale::full:
      return "full";
    case PaperScale::large:
      return "large";
  }
  return "";
}

using MakeFigures = std::vector<Figure> (*)(const Experiment&);
constexpr std::array<MakeFigures, kPaperComparisons.size()> kMakeFigures = {
    comparison_figures, comparison_figures, only_rates_figure, only_certificates_figure};

}  // namespace

Report paper_report(const PaperExperiments& experiments, const PaperTables& tables,
                    const Claims& claims, const std::string& settings, const std::string& command) {
  Report report;
  report.title = "Online learning with noisy side observations";
  report.subtitle = "The experiments of the paper (Kocák, Neu, Valko, AISTATS 2016), run again.";
  report.facts = {{"Scale", scale_text(experiments.scale)},
                  {"Fingerprint", checksum_text(settings)}};
  report.command = command;
  report.version = kVersion;
  report.seed = std::to_string(experiments.seed);
  report.settings = settings;
  report.claims = claims;
  const auto add_table = [&](const char* name, const std::optional<std::string>& text) {
    if (text) {
      report.tables.push_back({name, *text});
    }
  };
  add_table("results.csv", tables.results);
  add_table("summary.csv", tables.summary);
  add_table("random-graphs.csv", tables.random_graphs);
  add_table("grid.csv", tables.grid);
  add_table("worlds.csv", tables.worlds);
  if (tables.worlds) {
    report.heat_maps.push_back(worlds_map(experiments.worlds));
    if (report.tables.size() == 1) {
      report.title = "Every learner in every world";
      report.subtitle = "The learners of hearsay compared in worlds that favour different ones.";
    }
  }
  if (tables.random_graphs) {
    report.figures.push_back(random_graphs_figure(experiments.random_graphs));
  }
  if (tables.grid) {
    report.figures.push_back(grid_figure(experiments.grid));
  }
  if (tables.summary) {
    for (std::size_t i = 0; i < kMakeFigures.size(); ++i) {
      std::ranges::move(kMakeFigures.at(i)(experiments.comparison[i]),
                        std::back_inserter(report.figures));
    }
  }
  report.highlight = highlight_of(report);
  return report;
}

}  // namespace hearsay::reproduce
