#include "hearsay/report/experiment_report.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/report/comparison_report.h"
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

void set_panel(Figure& figure, const Layout& layout) {
  if (layout.panel) {
    figure.panel = layout.panel->key;
    figure.panel_title = layout.panel->key;
  }
}

Figure final_regret_figure(const Plan& plan, const Layout& layout) {
  const RunCounts counts = run_counts(plan.experiment());
  const std::string& parameter = layout.x_axis->key;
  Figure figure;
  set_panel(figure, layout);
  figure.id = "final-regret";
  figure.title =
      fmt::format("Regret after {} rounds against {}", grouped_digits(counts.rounds), parameter);
  figure.caption = fmt::format(
      "Loss suffered minus the loss of the best fixed arm, mean of {}. A horizontal line is a "
      "learner that does not take {}.",
      runs_text(counts), parameter);
  figure.table = "summary.csv";
  figure.mark = Figure::Mark::points;
  figure.x = {.column = parameter, .title = parameter};
  figure.y = {.column = "regret", .title = "regret", .from_zero = true};
  figure.bands = regret_bands(counts.sequences, counts.repetitions);
  figure.series_columns = layout.series_columns;
  figure.series = series_of(plan.cells(), figure.series_columns);
  return figure;
}

Figure regret_over_time_figure(const Plan& plan, const Layout& layout) {
  Figure figure = regret_over_time_figure(run_counts(plan.experiment()));
  set_panel(figure, layout);
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

// The names in the ranking of the learners that are shown every true loss.
std::vector<std::string> oracles(std::span<const Cell> cells) {
  const std::vector<std::string> names = cell_names(cells);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_oracle(cells[i].learner.name)) {
      found.push_back(names[i]);
    }
  }
  return found;
}

std::vector<Report::Fact> facts(const Plan& plan) {
  const Experiment& experiment = plan.experiment();
  std::vector<std::string> labels;
  std::ranges::transform(plan.cells(), std::back_inserter(labels), &Cell::label);
  std::vector<Report::Fact> facts = run_facts(run_counts(experiment), labels);
  facts.insert(facts.begin(), {"Arms", grouped_digits(plan.arms())});
  const Noise& noise = experiment.environment.noise;
  facts.push_back({"Noise", fmt::format("{}, R = {}",
                                        noise_catalogue()[static_cast<std::size_t>(noise.law)].name,
                                        noise.bound)});
  facts.push_back({"Fingerprint", plan.fingerprint()});
  return facts;
}

}  // namespace

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
  report.ranking = {"ranking.csv", ranking_caption(run_counts(experiment), plan.cells()),
                    oracles(plan.cells())};
  report.tables = {{"ranking.csv", tables.ranking},
                   {"results.csv", tables.results},
                   {"summary.csv", tables.summary}};
  if (layout.x_axis) {
    report.figures.push_back(final_regret_figure(plan, layout));
  }
  if (plan.points().size() > 1) {  // a single point is in the ranking
    report.figures.push_back(regret_over_time_figure(plan, layout));
  }
  if (plan.arms() <= kMostPicturedArms) {
    report.graphs.push_back(graph_picture(plan.first_graph()).value());
  }
  return report;
}

}  // namespace hearsay
