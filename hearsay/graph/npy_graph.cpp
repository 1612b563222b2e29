// NumPy files with the weights as an arms x arms array.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/little_endian.h"
#include "hearsay/base/npy.h"
#include "hearsay/graph/formats.h"

namespace hearsay::formats {

namespace {

// read_values() returns the weights row by row, as read_npy_values() does.
template <class ReadValues>
Graph make_graph(const NpyHeader& header, const std::string& name, const GraphReadOptions& options,
                 ReadValues read_values) {
  if (header.rows != header.columns) {
    throw Error(name + ": shape", fmt::format("is ({}, {}), expected as many rows as columns",
                                              header.rows, header.columns));
  }
  check_stated_arms(header.rows, name + ": shape", options);
  try {
    return Graph::dense(header.rows, read_values());
  } catch (const ArcError& error) {
    throw Error(fmt::format("{}: byte {}", name, header.byte_of(error.played(), error.seen())),
                error.what());
  }
}

}  // namespace

Graph parse_npy(std::string_view bytes, const std::string& name, const GraphReadOptions& options) {
  const NpyHeader header = read_npy_header(bytes, name);
  return make_graph(header, name, options, [&] { return read_npy_values(bytes, header); });
}

Graph read_npy(const std::string& path, const GraphReadOptions& options) {
  check_read_options(options);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || !std::filesystem::is_regular_file(path, error)) {
    return parse_npy(read_file(path), path, options);  // throws Error with the reason
  }
  InputStream file(path);
  const auto read = [&](std::span<char> to) {
    if (!file.read(to.data(), static_cast<std::streamsize>(to.size()))) {
      throw Error(path, "became shorter while it was read, expected a file that does not change");
    }
  };
  std::string beginning(std::min<std::uintmax_t>(size, kNpyBeginning), '\0');
  read(beginning);
  const NpyHeader header = read_npy_header(beginning, path, size);
  std::string_view rest = std::string_view(beginning).substr(header.begin);
  return make_graph(header, path, options, [&] {
    return read_npy_values(header, [&](std::span<char> to) {
      const std::string_view known = rest.substr(0, to.size());
      std::ranges::copy(known, to.begin());
      rest.remove_prefix(known.size());
      read(to.subspan(known.size()));
    });
  });
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
