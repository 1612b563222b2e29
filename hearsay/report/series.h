#pragma once

// The series and the bands of figures that show results.

#include <span>
#include <string>
#include <vector>

#include "hearsay/experiment/experiment.h"
#include "hearsay/report/html.h"

namespace hearsay {

// One series for each combination of values that the cells have in these columns of results.csv:
// "label" and parameters. A series is labelled by its value in the first column, then by the names
// and values of those others in which series with that first value differ ("exp3-ixt, threshold
// 0.6"). The curves of a Result in Python have the same names.
std::vector<Figure::Series> series_of(std::span<const Cell> cells,
                                      const std::vector<std::string>& columns);

// The name of each cell: its label, and the parameters in which cells of that label differ.
std::vector<std::string> cell_names(std::span<const Cell> cells);

// The bands of the regret: 95 % confidence interval and standard error of the mean, standard
// deviation of the runs; none if there is a single run. The standard error comes first if there are
// so few independent values that the interval is many times as wide.
std::vector<Figure::Band> regret_bands(std::size_t sequences, std::size_t repetitions);

}  // namespace hearsay
