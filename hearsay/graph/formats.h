#pragma once

// The readers and writers of the file formats, each of which has its own source file, and the
// functions that they share. Programs use files.h, which chooses the format.

#include <span>
#include <string>
#include <string_view>

#include "hearsay/base/text.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/graph.h"

namespace hearsay::formats {

Graph parse_npy(std::string_view bytes, const std::string& name, const GraphReadOptions& options);
// The same without the bytes of the file in memory, which would double the size of a dense graph.
Graph read_npy(const std::string& path, const GraphReadOptions& options);
Graph parse_matrix_market(std::string_view bytes, const std::string& name,
                          const GraphReadOptions& options);
NamedGraph parse_arc_csv(std::string_view bytes, const std::string& name,
                         const GraphReadOptions& options);
Graph parse_arc_npy(std::string_view bytes, const std::string& name,
                    const GraphReadOptions& options);
Graph parse_dimacs(std::string_view bytes, const std::string& name,
                   const GraphReadOptions& options);

void print_npy(const Graph& graph, const ByteSink& sink);
void print_matrix_market(const Graph& graph, const ByteSink& sink);
// `names` is empty or has one name for each arm.
void print_arc_csv(const Graph& graph, std::span<const std::string> names, const std::string& name,
                   const ByteSink& sink);
void print_arc_npy(const Graph& graph, const ByteSink& sink);
void print_dimacs(const Graph& graph, const std::string& name, const ByteSink& sink);

// "name:line"
std::string place_of(const std::string& name, std::size_t line);

// Throws Error if `options` asks for an impossible number of arms.
void check_read_options(const GraphReadOptions& options);

// Throws Error at `place` if a file that states `arms` contradicts `options` or has an impossible
// number of arms.
void check_stated_arms(std::size_t arms, const std::string& place, const GraphReadOptions& options);

// The largest number of arms that a sparse file of that many bytes may state.
std::size_t most_arms(std::size_t bytes, const GraphReadOptions& options);

// The message for an arm that is not below `most`. `arm` is the text in the file.
std::string wrong_arm_message(std::string_view arm, std::size_t most,
                              const GraphReadOptions& options);

// The number of arms of a file that is a list of arcs. `listed` is 1 + the largest index in the
// list, or 0 if the list is empty. Throws Error at `name` if neither the list nor `options` gives
// the number.
std::size_t arms_of_list(std::size_t listed, const std::string& name,
                         const GraphReadOptions& options);

// Throws Error at the current line if `word` is not a number in [0, 1].
double read_weight(const LineReader& lines, std::string_view word);

// Returns build(), and reports the line of the wrong arc if build() throws ArcError. scan(visit)
// calls visit(line, arc) for every arc of the text in order; it is called only to find that line.
template <class Build, class Scan>
Graph build_or_report_line(const std::string& name, Build build, Scan scan) {
  try {
    return build();
  } catch (const ArcError& error) {
    std::size_t found = 0;
    scan([&](std::size_t line, const Arc& arc) {
      if (arc.played == error.played() && arc.seen == error.seen()) {
        found = line;  // if an arc is given twice, the last one is the fault
      }
    });
    throw Error(place_of(name, found), error.what());
  }
}

// Passes a large text to the sink and clears it; leaves a small one so that it can grow.
void flush_if_large(std::string& text, const ByteSink& sink);

}  // namespace hearsay::formats
