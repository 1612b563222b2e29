#include "hearsay/report/experiment_report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/experiment/sources.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/report/csv.h"
#include "hearsay/report/graph_picture.h"
#include "hearsay/report/series.h"
#include "hearsay/version.h"
#include "hearsay/work/ranking.h"

namespace hearsay {
namespace {

// A parameter that has several values under one label, with all its values, in the order in which
// cells have them. Cells whose learner does not take the parameter have no value. A parameter that
// has only one value under each label is not swept, because the label already tells the value.
struct SweptParameter {
  std::string key;
  std::vector<std::string> values;
  bool is_number = true;
};

std::vector<SweptParameter> swept_parameters(const Plan& plan) {
  std::vector<std::vector<Parameter>> of_cells;
  for (const Cell& cell : plan.cells()) {
    of_cells.push_back(parameters(cell.learner));
  }
  std::vector<SweptParameter> swept;
  for (std::size_t i = 0; i < parameters(LearnerSpec{}).size(); ++i) {
    SweptParameter parameter;
    std::map<std::string, std::string> first_value;  // of each label
    bool is_swept = false;
    for (std::size_t cell = 0; cell < of_cells.size(); ++cell) {
      const Parameter& each = of_cells[cell][i];
      const std::string& label = plan.cells()[cell].label;
      parameter.key = each.key;
      is_swept = is_swept || first_value.try_emplace(label, each.value).first->second != each.value;
      double number = 0;
      if (!each.value.empty() &&
          std::ranges::find(parameter.values, each.value) == parameter.values.end()) {
        parameter.values.push_back(each.value);
        parameter.is_number = parameter.is_number && read_number(each.value, number);
      }
    }
    if (is_swept) {
      swept.push_back(std::move(parameter));
    }
  }
  return swept;
}

// Takes the parameter with the most values out of those that `is_candidate` accepts; none if it has
// fewer than `at_least`.
template <class IsCandidate>
std::optional<SweptParameter> take_longest(std::vector<SweptParameter>& swept, std::size_t at_least,
                                           IsCandidate is_candidate) {
  auto longest = swept.end();
  for (auto each = swept.begin(); each != swept.end(); ++each) {
    if (is_candidate(*each) && each->values.size() >= at_least &&
        (longest == swept.end() || each->values.size() > longest->values.size())) {
      longest = each;
    }
  }
  if (longest == swept.end()) {
    return std::nullopt;
  }
  SweptParameter taken = std::move(*longest);
  swept.erase(longest);
  return taken;
}

// Where the figures show the swept parameters.
struct Layout {
  std::optional<SweptParameter> x_axis;  // of the final regret
  std::optional<SweptParameter> panel;
  std::vector<std::string> series_columns = {"label"};  // the label and the other parameters
};

Layout layout_of(const Plan& plan) {
  constexpr std::size_t kFewestOnAxis = 3;
  constexpr std::size_t kManyCells = 8;  // more are shown in panels
  std::vector<SweptParameter> swept = swept_parameters(plan);
  Layout layout;
  layout.x_axis =
      take_longest(swept, kFewestOnAxis, [](const SweptParameter& each) { return each.is_number; });
  if (plan.cells().size() > kManyCells) {
    layout.panel = take_longest(swept, 2, [](const SweptParameter&) { return true; });
  }
  std::ranges::transform(swept, std::back_inserter(layout.series_columns), &SweptParameter::key);
  return layout;
}

std::string runs_text(const Experiment& experiment) {
  const std::string runs = grouped_digits(experiment.repetitions) +
                           (experiment.repetitions == 1 ? " run on " : " runs on ");
  return runs + (experiment.sequences == 1 ? "one loss sequence"
                                           : fmt::format("each of {} loss sequences",
                                                         grouped_digits(experiment.sequences)));
}

// What both figures have in common.
Figure regret_figure(const Plan& plan, const Layout& layout) {
  Figure figure;
  figure.y = {.column = "regret", .title = "regret", .from_zero = true};
  figure.bands = regret_bands(plan.experiment().sequences, plan.experiment().repetitions);
  if (layout.panel) {
    figure.panel = layout.panel->key;
    figure.panel_title = layout.panel->key;
  }
  return figure;
}

Figure final_regret_figure(const Plan& plan, const Layout& layout) {
  const Experiment& experiment = plan.experiment();
  const std::string& parameter = layout.x_axis->key;
  Figure figure = regret_figure(plan, layout);
  figure.id = "final-regret";
  figure.title = fmt::format("Regret after {} rounds against {}",
                             grouped_digits(experiment.environment.horizon), parameter);
  figure.caption = fmt::format(
      "Loss suffered minus the loss of the best fixed arm, mean of {}. A level line is a learner "
      "that does not take {}.",
      runs_text(experiment), parameter);
  figure.table = "summary.csv";
  figure.mark = Figure::Mark::points;
  figure.x = {.column = parameter, .title = parameter};
  figure.series_columns = layout.series_columns;
  figure.series = series_of(plan.cells(), figure.series_columns);
  return figure;
}

Figure regret_over_time_figure(const Plan& plan, const Layout& layout) {
  Figure figure = regret_figure(plan, layout);
  figure.id = "regret-over-time";
  figure.title = "Regret over time";
  figure.caption =
      fmt::format("Loss suffered minus the loss of the best fixed arm so far, mean of {}.",
                  runs_text(plan.experiment()));
  figure.table = "results.csv";
  figure.mark = Figure::Mark::curve;
  figure.x = {.column = "round", .title = "round"};
  // A bound may be many times the regret, whose curves would then be too low to read.
  figure.references = {{.column = "bound",
                        .title = "bound",
                        .kind = Figure::Reference::Kind::bound,
                        .shown = false,
                        .note = "The bound is what the theory guarantees in expectation, given "
                                "what each learner saw."}};
  figure.series_columns = layout.series_columns;
  if (layout.x_axis) {  // the ends and the middle: too many curves could not be distinguished
    const std::vector<std::string>& values = layout.x_axis->values;
    figure.series_columns.push_back(layout.x_axis->key);
    figure.filter[layout.x_axis->key] = {"", values.front(), values[values.size() / 2],
                                         values.back()};
  }
  figure.series = series_of(plan.cells(), figure.series_columns);
  return figure;
}

// The labels of the learners that are shown this information, each once.
std::vector<std::string> labels_shown(std::span<const Cell> cells, Information information) {
  std::vector<std::string> labels;
  for (const Cell& cell : cells) {
    if (learner_row(cell.learner.name).information == information &&
        std::ranges::find(labels, cell.label) == labels.end()) {
      labels.push_back(cell.label);
    }
  }
  return labels;
}

// The names in the ranking of the learners that are shown every true loss.
std::vector<std::string> oracles(std::span<const Cell> cells) {
  const std::vector<std::string> names = cell_names(cells);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (learner_row(cells[i].learner.name).information == Information::true_losses) {
      found.push_back(names[i]);
    }
  }
  return found;
}

// The first graph of the experiment: that of the first sequence if its family is random, and that
// of the first round if there is a new one in every round.
Graph first_graph(const Experiment& experiment) {
  const GraphSettings& settings = experiment.environment.graph;
  return make_graph(settings.graphs.front(), Stream(experiment.seed, Purpose::graph, 0),
                    settings.kind->takes == GraphsTaken::random_family ? 1 : 0);
}

std::string ranking_caption(const Experiment& experiment) {
  const std::size_t independent = independent_values(experiment.sequences, experiment.repetitions);
  const std::string intervals =
      independent < 2
          ? "With a single run there are no intervals."
          : fmt::format(
                "Intervals are 95 % confidence intervals by Student's t over the {} {}; those of "
                "differences are paired, as all learners meet the same losses and draws.",
                grouped_digits(independent),
                experiment.sequences > 1 ? "loss sequences" : "runs on one loss sequence");
  return fmt::format("Mean regret after {} rounds, {}. {}",
                     grouped_digits(experiment.environment.horizon), runs_text(experiment),
                     intervals);
}

// "4", or "4, in 7 settings" if some have parameters of several values.
std::string learners_text(const Plan& plan) {
  std::set<std::string> labels;
  for (const Cell& cell : plan.cells()) {
    labels.insert(cell.label);
  }
  const std::string learners = grouped_digits(labels.size());
  return labels.size() == plan.cells().size()
             ? learners
             : fmt::format("{}, in {} settings", learners, grouped_digits(plan.cells().size()));
}

std::vector<Report::Fact> facts(const Plan& plan) {
  const Experiment& experiment = plan.experiment();
  return {{"Arms", grouped_digits(plan.arms())},
          {"Rounds", grouped_digits(experiment.environment.horizon)},
          {"Learners", learners_text(plan)},
          {"Loss sequences", grouped_digits(experiment.sequences)},
          {"Runs on each", grouped_digits(experiment.repetitions)},
          {"Noise",
           fmt::format(
               "{}, R = {}",
               noise_catalogue()[static_cast<std::size_t>(experiment.environment.noise.law)].name,
               experiment.environment.noise.bound)},
          {"Fingerprint", plan.fingerprint()}};
}

}  // namespace

std::string informed_learners_text(std::span<const Cell> cells) {
  const auto graph = labels_shown(cells, Information::graph_before_draw);
  const auto losses = labels_shown(cells, Information::true_losses);
  std::vector<std::string> sentences;
  if (!graph.empty()) {
    sentences.push_back(
        fmt::format("Informed of the graph before each draw: {}.", fmt::join(graph, ", ")));
  }
  if (!losses.empty()) {
    sentences.push_back(fmt::format("Shown every true loss: {}.", fmt::join(losses, ", ")));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

ResultTables result_tables(const Plan& plan, const Curves& curves,
                           std::span<const ResultRow> rows) {
  return {.results = results_csv(plan, rows),
          .summary = results_csv(plan, at_horizon(plan, rows)),
          .ranking = ranking_csv(plan, rank_rows(plan, curves, rows))};
}

Report experiment_report(const Plan& plan, const ResultTables& tables) {
  const Experiment& experiment = plan.experiment();
  const Layout layout = layout_of(plan);
  Report report;
  report.title = experiment.name;
  report.command = "hearsay run experiment.toml";
  report.version = kVersion;
  report.seed = std::to_string(experiment.seed);
  report.settings = to_toml(experiment);
  report.facts = facts(plan);
  report.ranking = {"ranking.csv", ranking_caption(experiment), oracles(plan.cells())};
  if (const std::string informed = informed_learners_text(plan.cells()); !informed.empty()) {
    report.ranking.caption += " " + informed;
  }
  report.tables = {{"ranking.csv", tables.ranking},
                   {"results.csv", tables.results},
                   {"summary.csv", tables.summary}};
  if (layout.x_axis) {
    report.figures.push_back(final_regret_figure(plan, layout));
  }
  if (plan.points().size() > 1) {  // a single point is in the ranking
    report.figures.push_back(regret_over_time_figure(plan, layout));
  }
  if (std::optional<GraphPicture> picture = graph_picture(first_graph(experiment))) {
    report.graphs.push_back(*std::move(picture));
  }
  return report;
}

}  // namespace hearsay
