#pragma once

// The series and the bands of figures that show results.

#include <span>
#include <string>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "hearsay/report/html.h"

namespace hearsay {

// The names of curves whose values in these columns are given as text: the value in the first
// column, then the names and values of those others in which curves with that first value differ
// ("exp3-ixt, threshold 0.6").
std::vector<std::string> curve_names(const std::vector<std::string>& columns,
                                     std::span<const std::vector<std::string>> curves);

// One series for each combination of values that the cells have in these columns of results.csv:
// "label" and parameters. Its label is the name of the curve.
std::vector<Figure::Series> series_of(std::span<const Cell> cells,
                                      const std::vector<std::string>& columns);

// The name of each cell: its label, and the parameters in which cells of that label differ.
std::vector<std::string> cell_names(std::span<const Cell> cells);

// The bands of the regret: 95 % confidence interval and standard error of the mean, standard
// deviation of the runs; none if there is a single run. The standard error comes first if there are
// so few independent values that the interval is many times as wide.
std::vector<Figure::Band> regret_bands(std::size_t sequences, std::size_t repetitions);

}  // namespace hearsay
