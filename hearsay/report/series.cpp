#include "hearsay/report/series.h"

#include <algorithm>

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

}  // namespace

std::vector<Figure::Series> series_of(std::span<const Cell> cells,
                                      const std::vector<std::string>& columns) {
  std::vector<Figure::Series> all;
  for (const Cell& cell : cells) {
    Figure::Series series;
    for (const std::string& column : columns) {
      const std::string value = value_in(column, cell);
      if (series.values.empty()) {
        series.label = value;
      } else if (!value.empty()) {
        series.label += fmt::format(", {} {}", column, value);
      }
      series.values.push_back(value);
    }
    series.ours = is_ours(cell.learner);
    const auto known = std::ranges::find(all, series.values, &Figure::Series::values);
    if (known == all.end()) {
      all.push_back(std::move(series));
    } else {
      known->ours = known->ours || series.ours;
    }
  }
  return all;
}

}  // namespace hearsay
