#include "hearsay/report/series.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/number_text.h"
#include "hearsay/base/student.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/work/summary.h"

namespace hearsay {
namespace {

std::vector<std::string> values_in(const std::vector<std::string>& columns, const Cell& cell) {
  const std::vector<Parameter> all = parameters(cell.learner);
  std::vector<std::string> values;
  for (const std::string& column : columns) {
    values.push_back(column == "label" ? cell.label
                                       : std::ranges::find(all, column, &Parameter::key)->value);
  }
  return values;
}

// The series without labels, each once.
std::vector<Figure::Series> distinct_series(std::span<const Cell> cells,
                                            const std::vector<std::string>& columns) {
  std::vector<Figure::Series> all;
  std::map<std::vector<std::string>, std::size_t> known;
  for (const Cell& cell : cells) {
    std::vector<std::string> values = values_in(columns, cell);
    const auto [place, is_new] = known.try_emplace(values, all.size());
    if (is_new) {
      Figure::Series& series = all.emplace_back();
      series.values = std::move(values);
      series.learner = cell.learner.name;
    }
    Figure::Series& series = all[place->second];
    series.ours = series.ours || is_ours(cell.learner);
  }
  return all;
}

}  // namespace

std::vector<Figure::Series> series_of(std::span<const Cell> cells,
                                      const std::vector<std::string>& columns) {
  std::vector<Figure::Series> all = distinct_series(cells, columns);
  // Of the series with the same first value: the first one, and in which columns others differ.
  struct Alike {
    const Figure::Series* first;
    std::set<std::size_t> differ;
  };
  std::map<std::string, Alike> alike;
  for (const Figure::Series& series : all) {
    Alike& others = alike.try_emplace(series.values.front(), Alike{&series, {}}).first->second;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (series.values[i] != others.first->values[i]) {
        others.differ.insert(i);
      }
    }
  }
  for (Figure::Series& series : all) {
    series.label = series.values.front();
    for (const std::size_t i : alike.at(series.values.front()).differ) {
      series.label += fmt::format(", {} {}", columns[i], series.values[i]);
    }
  }
  return all;
}

std::vector<std::string> cell_names(std::span<const Cell> cells) {
  std::vector<std::string> columns = {"label"};
  for (const Parameter& parameter : parameters(LearnerSpec{})) {
    columns.emplace_back(parameter.key);
  }
  std::map<std::vector<std::string>, std::string> label_of;  // by the values of a series
  for (const Figure::Series& series : series_of(cells, columns)) {
    label_of.emplace(series.values, series.label);
  }
  std::vector<std::string> names;
  for (const Cell& cell : cells) {
    names.push_back(label_of.at(values_in(columns, cell)));
  }
  return names;
}

std::vector<Figure::Band> regret_bands(std::size_t sequences, std::size_t repetitions) {
  const std::size_t runs = sequences * repetitions;
  if (runs < 2) {
    return {};
  }
  const std::string error =
      sequences > 1 ? fmt::format("of the mean over {} loss sequences", grouped_digits(sequences))
                    : fmt::format("of the mean over {} runs on one loss sequence",
                                  grouped_digits(repetitions));
  const std::size_t independent = independent_values(sequences, repetitions);
  std::vector<Figure::Band> bands = {
      {.name = "95 %",
       .column = "regret_standard_error",
       .factor = student_quantile_95(independent - 1),
       .title = "95 % confidence interval " + error},
      {.name = "se",
       .column = "regret_standard_error",
       .factor = 1,
       .title = "standard error " + error},
      {.name = "sd",
       .column = "regret_sd",
       .factor = 1,
       .title = fmt::format("standard deviation of the {} runs", grouped_digits(runs))}};
  constexpr std::size_t kFew = 4;
  if (independent <= kFew) {
    std::swap(bands[0], bands[1]);
  }
  return bands;
}

}  // namespace hearsay
