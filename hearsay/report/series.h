#pragma once

// The series of figures that show results.

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

}  // namespace hearsay
