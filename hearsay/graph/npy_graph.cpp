// NumPy files with the weights as an arms x arms array.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/little_endian.h"
#include "hearsay/base/npy.h"
#include "hearsay/graph/formats.h"

namespace hearsay::formats {

Graph parse_npy(std::string_view bytes, const std::string& name, const GraphReading& reading) {
  const NpyHeader header = read_npy_header(bytes, name);
  if (header.rows != header.columns) {
    throw Error(name + ": shape", fmt::format("is ({}, {}), expected as many rows as columns",
                                              header.rows, header.columns));
  }
  check_stated_arms(header.rows, name + ": shape", reading);
  try {
    return Graph::dense(header.rows, read_npy_values(bytes, header));
  } catch (const ArcError& error) {
    throw Error(fmt::format("{}: byte {}", name, header.byte_of(error.played(), error.seen())),
                error.what());
  }
}

void print_npy(const Graph& graph, const ByteSink& sink) {
  sink(npy_preamble(graph.arms(), graph.arms()));
  std::string row;
  std::vector<double> weights(graph.arms());
  for (Arm played = 0; played < graph.arms(); ++played) {
    if (graph.is_dense()) {
      const auto stored = graph.weights().row(played);
      weights.assign(stored.begin(), stored.end());
    } else {
      std::fill(weights.begin(), weights.end(), 0.0);
      graph.for_each_seen(played, [&](Arm seen, double weight) { weights[seen] = weight; });
    }
    row.clear();
    for (const double weight : weights) {
      append_little_endian(row, std::bit_cast<std::uint64_t>(weight));
    }
    sink(row);
  }
}

}  // namespace hearsay::formats
