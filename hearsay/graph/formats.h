#pragma once

// One reader and one writer a file format (a source each), and what the readers share. Programs use
// files.h, which chooses among them.

#include <string>
#include <string_view>

#include "hearsay/base/text.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/graph.h"

namespace hearsay::formats {

Graph parse_npy(std::string_view bytes, const std::string& name, const GraphReading& reading);
Graph parse_matrix_market(std::string_view bytes, const std::string& name,
                          const GraphReading& reading);
Graph parse_arc_csv(std::string_view bytes, const std::string& name, const GraphReading& reading);
Graph parse_arc_npy(std::string_view bytes, const std::string& name, const GraphReading& reading);
Graph parse_dimacs(std::string_view bytes, const std::string& name, const GraphReading& reading);

void print_npy(const Graph& graph, const ByteSink& sink);
void print_matrix_market(const Graph& graph, const ByteSink& sink);
void print_arc_csv(const Graph& graph, const ByteSink& sink);
void print_arc_npy(const Graph& graph, const ByteSink& sink);
void print_dimacs(const Graph& graph, const std::string& name, const ByteSink& sink);

// "name:line"
std::string place_of(const std::string& name, std::size_t line);

// The number of arms a file states, checked against what the reader knows. Throws Error at `place`.
void check_stated_arms(std::size_t arms, const std::string& place, const GraphReading& reading);

// The most arms a sparse file of that many bytes may have.
std::size_t most_arms(std::size_t bytes, const GraphReading& reading);

// Why an arm is refused that is not below `most`. `arm`: as the file has it.
std::string not_an_arm(std::string_view arm, std::size_t most, const GraphReading& reading);

// How many arms a list of arcs is about, if `listed` is 1 + the largest index in it (0: none).
// Throws Error at `name` where nobody knows.
std::size_t arms_of_list(std::size_t listed, const std::string& name, const GraphReading& reading);

// Throws Error at the line where `word` is no number in [0, 1].
double read_weight(const LineReader& lines, std::string_view word);

// build(), with the line named where the graph is invalid. `scan(visit)` calls visit(line, arc) for
// every arc the text gives, in its order: it runs again only to find the line.
template <class Build, class Scan>
Graph build_at_lines(const std::string& name, Build build, Scan scan) {
  try {
    return build();
  } catch (const ArcError& error) {
    std::size_t found = 0;
    scan([&](std::size_t line, const Arc& arc) {
      if (arc.played == error.played() && arc.seen == error.seen()) {
        found = line;  // the last one: of an arc given twice, the one too many
      }
    });
    throw Error(place_of(name, found), error.what());
  }
}

// Hands text on to the sink once it is worth it, and empties it then.
void pass_on(std::string& text, const ByteSink& sink);

}  // namespace hearsay::formats
