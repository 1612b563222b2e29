#include "hearsay/report/experiment_report.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/text.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/version.h"

namespace hearsay {
namespace {

// A parameter that differs between cells, with its values in the order in which they come; a cell
// that does not take it has none.
struct Swept {
  std::string key;
  std::vector<std::string> values;
  bool is_number = true;
};

std::vector<Swept> swept_parameters(const Plan& plan) {
  std::vector<Swept> swept;
  for (std::size_t i = 0; i < parameters(LearnerSpec{}).size(); ++i) {
    Swept parameter;
    for (const Cell& cell : plan.cells()) {
      const Parameter each = parameters(cell.learner)[i];
      parameter.key = each.key;
      double number = 0;
      if (!each.value.empty() &&
          std::ranges::find(parameter.values, each.value) == parameter.values.end()) {
        parameter.values.push_back(each.value);
        parameter.is_number = parameter.is_number && read_number(each.value, number);
      }
    }
    if (parameter.values.size() > 1) {
      swept.push_back(std::move(parameter));
    }
  }
  return swept;
}

// Takes the one with the most values out of `swept`; none where it has fewer than `at_least`.
template <class Which>
std::optional<Swept> take_longest(std::vector<Swept>& swept, std::size_t at_least, Which which) {
  auto longest = swept.end();
  for (auto each = swept.begin(); each != swept.end(); ++each) {
    if (which(*each) && each->values.size() >= at_least &&
        (longest == swept.end() || each->values.size() > longest->values.size())) {
      longest = each;
    }
  }
  if (longest == swept.end()) {
    return std::nullopt;
  }
  Swept taken = std::move(*longest);
  swept.erase(longest);
  return taken;
}

// As the page labels a series of these columns.
std::string series_label(const Cell& cell, const std::vector<std::string>& series) {
  std::string label = cell.label;
  for (const Parameter& parameter : parameters(cell.learner)) {
    if (!parameter.value.empty() && std::ranges::find(series, parameter.key) != series.end()) {
      label += fmt::format(", {} {}", parameter.key, parameter.value);
    }
  }
  return label;
}

std::vector<std::string> our_labels(const Plan& plan, const std::vector<std::string>& series) {
  std::set<std::string> labels;
  for (const Cell& cell : plan.cells()) {
    if (is_ours(cell.learner)) {
      labels.insert(series_label(cell, series));
    }
  }
  return {labels.begin(), labels.end()};
}

std::string runs_text(const Experiment& experiment) {
  return experiment.sequences == 1
             ? fmt::format("{} runs on one loss sequence", experiment.repetitions)
             : fmt::format("{} runs on each of {} loss sequences", experiment.repetitions,
                           experiment.sequences);
}

}  // namespace

Report experiment_report(const Plan& plan, const std::string& results, const std::string& summary) {
  const Experiment& experiment = plan.experiment();
  const std::string runs = runs_text(experiment);
  const std::string error_title = fmt::format("sd of {}", runs);

  std::vector<Swept> swept = swept_parameters(plan);
  const std::optional<Swept> along =
      take_longest(swept, 3, [](const Swept& each) { return each.is_number; });
  constexpr std::size_t kManyCells = 8;
  const std::optional<Swept> panel = plan.cells().size() > kManyCells
                                         ? take_longest(swept, 2, [](const Swept&) { return true; })
                                         : std::nullopt;
  std::vector<std::string> series = {"label"};
  std::ranges::transform(swept, std::back_inserter(series), &Swept::key);
  const auto in_panels = [&](Figure& figure) {
    if (panel) {
      figure.panel = panel->key;
      figure.panel_title = panel->key;
    }
  };

  Report report;
  report.title = experiment.name;
  report.subtitle =
      fmt::format("{} arms, {} rounds, {}.", plan.arms(), experiment.environment.horizon, runs);
  report.command = "hearsay run experiment.toml";
  report.version = kVersion;
  report.seed = experiment.seed;
  report.settings = to_toml(experiment);
  report.tables = {{"results.csv", results}, {"summary.csv", summary}};

  if (along) {
    Figure figure;
    figure.id = "final-regret";
    figure.title = fmt::format("Regret after {} rounds against {}", experiment.environment.horizon,
                               along->key);
    figure.caption = fmt::format(
        "Loss suffered less that of the best fixed arm, mean of {}. A level line is a learner that "
        "takes no {}.",
        runs, along->key);
    figure.table = "summary.csv";
    figure.mark = Figure::Mark::points;
    figure.x = {.column = along->key, .title = along->key};
    figure.y = {.column = "regret", .title = "regret", .from_zero = true};
    figure.error = "regret_sd";
    figure.error_title = error_title;
    figure.series = series;
    figure.ours = our_labels(plan, series);
    in_panels(figure);
    report.figures.push_back(std::move(figure));
  }

  Figure figure;
  figure.id = "regret-over-time";
  figure.title = "Regret over time";
  figure.caption = fmt::format(
      "Loss suffered less that of the best fixed arm so far, mean of {}. Dashed: the bound that "
      "the "
      "theory gives for what each learner saw, where there is one.",
      runs);
  figure.table = "results.csv";
  figure.mark = Figure::Mark::curve;
  figure.x = {.column = "round", .title = "round"};
  figure.y = {.column = "regret", .title = "regret", .from_zero = true};
  figure.error = "regret_sd";
  figure.error_title = error_title;
  figure.references = {
      {.column = "bound", .title = "bound", .kind = Figure::Reference::Kind::bound}};
  if (along) {  // its ends and its middle; all of them would be a thicket
    series.push_back(along->key);
    const std::vector<std::string>& values = along->values;
    figure.filter[along->key] = {"", values.front(), values[values.size() / 2], values.back()};
  }
  figure.series = series;
  figure.ours = our_labels(plan, series);
  in_panels(figure);
  report.figures.push_back(std::move(figure));
  return report;
}

}  // namespace hearsay
