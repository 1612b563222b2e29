#include "hearsay/report/series.h"

#include <algorithm>
#include <iterator>
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

std::vector<std::string> curve_names(const std::vector<std::string>& columns,
                                     std::span<const std::vector<std::string>> curves) {
  // Of the curves with the same first value: the first one, and in which columns others differ.
  struct Alike {
    const std::vector<std::string>* first;
    std::set<std::size_t> differ;
  };
  std::map<std::string, Alike> alike;
  for (const std::vector<std::string>& curve : curves) {
    Alike& others = alike.try_emplace(curve.front(), Alike{&curve, {}}).first->second;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (curve[i] != (*others.first)[i]) {
        others.differ.insert(i);
      }
    }
  }
  std::vector<std::string> names;
  for (const std::vector<std::string>& curve : curves) {
    std::string& name = names.emplace_back(curve.front());
    for (const std::size_t i : alike.at(curve.front()).differ) {
      name += fmt::format(", {} {}", columns[i], curve[i]);
    }
  }
  return names;
}

std::vector<Figure::Series> series_of(std::span<const Cell> cells,
                                      const std::vector<std::string>& columns) {
  std::vector<Figure::Series> all = distinct_series(cells, columns);
  std::vector<std::vector<std::string>> curves;
  std::ranges::transform(all, std::back_inserter(curves), &Figure::Series::values);
  const std::vector<std::string> names = curve_names(columns, curves);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].label = names[i];
  }
  return all;
}

std::vector<std::string> cell_names(std::span<const Cell> cells) {
  std::vector<std::string> columns = {"label"};
  for (const Parameter& parameter : parameters(LearnerSpec{})) {
    columns.emplace_back(parameter.key);
  }
  std::vector<std::vector<std::string>> curves;
  std::ranges::transform(cells, std::back_inserter(curves),
                         [&](const Cell& cell) { return values_in(columns, cell); });
  return curve_names(columns, curves);
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
