#include "hearsay/report/series.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "hearsay/learner/catalogue.h"

namespace hearsay {
namespace {

std::string value_in(const std::string& column, const Cell& cell) {
  if (column == "label") {
    return cell.label;
  }
  const std::vector<Parameter> all = parameters(cell.learner);
  return std::ranges::find(all, column, &Parameter::key)->value;
}

// The series without labels, each once.
std::vector<Figure::Series> distinct_series(std::span<const Cell> cells,
                                            const std::vector<std::string>& columns) {
  std::vector<Figure::Series> all;
  std::map<std::vector<std::string>, std::size_t> known;
  for (const Cell& cell : cells) {
    std::vector<std::string> values;
    for (const std::string& column : columns) {
      values.push_back(value_in(column, cell));
    }
    const auto [place, is_new] = known.try_emplace(values, all.size());
    if (is_new) {
      all.emplace_back().values = std::move(values);
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

}  // namespace hearsay
