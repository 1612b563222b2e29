#pragma once

// Reads and writes graph files. The ending of the name chooses the format: .npy (NumPy, all
// weights), .arcs.npy (NumPy, an array of records played, seen, weight), .mtx (Matrix Market), .csv
// (played,seen,weight) or .clq, .col, .dimacs (DIMACS edges). In a matrix, the row is the arm
// played.
//
// A .csv file may identify the arms by names; its header is then played_name,seen_name,weight. The
// arms have the order in which they first appear, played before seen. A file that is written here
// begins with the diagonal, so that reading it back gives the same order.
//
// A malformed file throws Error at "file:line" (for NumPy files, at a byte or a key). Reading
// allocates at most a small multiple of the file's size, or what a graph of kUnfilledArms arms
// without arcs takes, unless GraphReadOptions::arms asks for more. A file that was written here
// reads back to the same weights, to the bit.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hearsay/graph/graph.h"

namespace hearsay {

enum class GraphFormat { npy, arc_npy, matrix_market, arc_csv, dimacs };

struct GraphReadOptions {
  // The number of arms, if the caller knows it. A .csv or .arcs.npy file does not state it: by
  // default it is 1 + the largest index. The other formats state it and must agree with `arms`.
  // Without `arms`, a sparse file may have at most as many arms as it has bytes, or kUnfilledArms
  // if that is more: arms without arcs take no bytes, so otherwise a wrong number in a small file
  // could cause a huge allocation.
  std::optional<std::size_t> arms = std::nullopt;

  // The names of the arms, if the caller knows them; then `arms` is their number. A file with any
  // other name is refused. A .csv file with numbers is refused if one of the numbers is the name of
  // another arm, because it is not clear which arm is meant.
  std::span<const std::string> names = {};

  static constexpr std::size_t kUnfilledArms = 65'536;
  static constexpr std::size_t kMostArms = std::size_t{1} << 28U;  // the largest value of `arms`
};

// A graph and the names of its arms, which are empty if the file has none.
struct NamedGraph {
  Graph graph;
  std::vector<std::string> names = {};
};

Graph read_graph(const std::string& path, const GraphReadOptions& options = {});
NamedGraph read_named_graph(const std::string& path, const GraphReadOptions& options = {});

// Writes the whole file or, on an error, leaves a previous file unchanged. A DIMACS file can hold
// only a symmetric graph of weights 0 and 1; for any other graph, throws Error. `names` is empty or
// has one name for each arm; names are written if the format has a place for them.
void write_graph(const Graph& graph, const std::string& path,
                 std::span<const std::string> names = {});

bool holds_names(GraphFormat format);

// The format that the ending of `path` chooses. Throws Error if the ending is unknown.
GraphFormat graph_format(const std::string& path);

// Converts bytes to a graph. `name` is the name of the file in messages.
NamedGraph parse_named_graph(GraphFormat format, std::string_view bytes, const std::string& name,
                             const GraphReadOptions& options = {});
Graph parse_graph(GraphFormat format, std::string_view bytes, const std::string& name,
                  const GraphReadOptions& options = {});

// Receives the bytes of a file in consecutive pieces.
using ByteSink = std::function<void(std::string_view)>;

// Converts a graph to bytes, with names as write_graph() does.
void print_graph(GraphFormat format, const Graph& graph, const std::string& name,
                 const ByteSink& sink, std::span<const std::string> names = {});

}  // namespace hearsay
