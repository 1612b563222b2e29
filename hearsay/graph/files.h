#pragma once

// Graphs in files, the format chosen by the ending: .npy (NumPy, all weights), .arcs.npy (NumPy, an
// array of records played, seen, weight), .mtx (Matrix Market), .csv (played,seen,weight) and .clq,
// .col, .dimacs (DIMACS edges). Row = played, as everywhere.
//
// Reading is strict: what is malformed throws Error at "file:line" (NumPy: at a byte or a key), and
// no file makes us allocate more than a small multiple of its own size. What is written reads back
// to the same weights, to the bit.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "hearsay/graph/graph.h"

namespace hearsay {

enum class GraphFormat { npy, arc_npy, matrix_market, arc_csv, dimacs };

struct GraphReading {
  // How many arms, where the reader knows it. A .csv or .arcs.npy file does not say, and has 1 +
  // the largest index without it; the other formats must agree. Without it, a sparse file may state
  // at most as many arms as it has bytes, or kUnfilledArms if that is more: arcs need not fill all
  // arms.
  std::optional<std::size_t> arms;

  static constexpr std::size_t kUnfilledArms = 65'536;
  static constexpr std::size_t kMostArms = std::size_t{1} << 28U;  // that `arms` may say
};

Graph read_graph(const std::string& path, const GraphReading& reading = {});

// Complete or not at all: an error leaves what was there. DIMACS files hold symmetric graphs of
// weights 0 and 1 only; any other is refused with Error.
void write_graph(const Graph& graph, const std::string& path);

// By the ending of `path`; throws Error for one that names no format.
GraphFormat graph_format(const std::string& path);

// The two steps between bytes and graph. `name`: what messages call the file.
Graph parse_graph(GraphFormat format, std::string_view bytes, const std::string& name,
                  const GraphReading& reading = {});

// Takes the bytes of a file, piece after piece.
using ByteSink = std::function<void(std::string_view)>;
void print_graph(GraphFormat format, const Graph& graph, const std::string& name,
                 const ByteSink& sink);

}  // namespace hearsay
