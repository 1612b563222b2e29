// DIMACS files: comment lines "c ...", one line "p edge ARMS EDGES", then lines "e U V", counted
// from 1. Edges are undirected and have weight 1. Existing files list an edge once, in both
// directions or twice, and the number of edges they state may count any of these.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/graph/formats.h"
#include "hearsay/graph/storage.h"

namespace hearsay::formats {
namespace {

struct ProblemLine {
  std::size_t line = 0;  // 0 until the p line has been read
  std::size_t arms = 0;
  std::size_t edges = 0;
};

using Edge = std::pair<Arm, Arm>;  // the smaller arm first

ProblemLine read_problem_line(const LineReader& lines, std::string_view rest, std::size_t bytes,
                              const std::string& name, const GraphReadOptions& options) {
  ProblemLine problem{.line = lines.number()};
  const std::string_view kind = take_word(rest);
  if ((kind != "edge" && kind != "edges" && kind != "col") ||
      !read_number(take_word(rest), problem.arms) || !read_number(take_word(rest), problem.edges) ||
      !take_word(rest).empty()) {
    lines.fail(fmt::format("{}, expected p edge ARMS EDGES (or p col)", in_quotes(lines.line())));
  }
  check_stated_arms(problem.arms, place_of(name, lines.number()), options);
  if (problem.arms > most_arms(bytes, options)) {
    lines.fail(
        fmt::format("{} arms in a file of {} bytes, expected at most {} (--arms {} allows them)",
                    problem.arms, bytes, most_arms(bytes, options), problem.arms));
  }
  return problem;
}

Edge read_edge(const LineReader& lines, std::string_view rest, std::size_t arms) {
  Arm from = 0;
  Arm to = 0;
  const bool parsed = read_number(take_word(rest), from) && read_number(take_word(rest), to) &&
                      take_word(rest).empty();
  if (!parsed || from < 1 || to < 1 || from > arms || to > arms) {
    lines.fail(
        fmt::format("{}, expected e U V with U and V from 1 to {}", in_quotes(lines.line()), arms));
  }
  return std::minmax({from - 1, to - 1});
}

}  // namespace

Graph parse_dimacs(std::string_view bytes, const std::string& name,
                   const GraphReadOptions& options) {
  LineReader lines(bytes, name);
  ProblemLine problem;
  std::vector<Edge> edges;
  while (lines.next()) {
    std::string_view rest = lines.line();
    if (rest.starts_with('c')) {
      continue;
    }
    const std::string_view kind = take_word(rest);
    if (kind == "p") {
      if (problem.line != 0) {
        lines.fail(
            fmt::format("a second p line, expected only the first, on line {}", problem.line));
      }
      problem = read_problem_line(lines, rest, bytes.size(), name, options);
    } else if (kind == "e") {
      if (problem.line == 0) {
        lines.fail("an edge before the p line, expected p edge ARMS EDGES first");
      }
      edges.push_back(read_edge(lines, rest, problem.arms));
    } else {
      lines.fail(
          fmt::format("{}, expected a line that begins with c, p or e", in_quotes(lines.line())));
    }
  }
  if (problem.line == 0) {
    throw Error(place_of(name, lines.number()), "the file ends, expected p edge ARMS EDGES");
  }

  const std::size_t listed = edges.size();
  std::ranges::sort(edges, InterruptibleLess());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (problem.edges != listed && problem.edges != edges.size() &&
      problem.edges != 2 * edges.size()) {
    throw Error(place_of(name, problem.line),
                fmt::format("{} edges stated, expected {} (lines listed), {} (different edges) or "
                            "{} (both directions of each)",
                            problem.edges, listed, edges.size(), 2 * edges.size()));
  }
  std::vector<Arc> arcs;
  arcs.reserve(2 * edges.size());
  for (const auto& [from, to] : edges) {
    note_work(1);
    arcs.push_back({from, to, 1});
    if (from != to) {
      arcs.push_back({to, from, 1});
    }
  }
  return graph_of_arcs(problem.arms, std::move(arcs));
}

void print_dimacs(const Graph& graph, const std::string& name, const ByteSink& sink) {
  if (graph.self_weight() != 1) {
    throw Error(name,
                fmt::format("the self weight is {}, expected 1: a DIMACS file stores no weights",
                            graph.self_weight()));
  }
  for (Arm one = 0; one < graph.arms(); ++one) {
    graph.for_each_seen(one, [&](Arm other, double forward) {
      note_work(1);
      const double backward = graph.weight(other, one);
      if (forward != 1 || backward != 1) {
        throw Error(
            name,
            fmt::format("weight({0}, {1}) is {2} and weight({1}, {0}) is {3}, expected both 0 "
                        "or both 1: a DIMACS file stores no weights and no directions",
                        one, other, forward, backward));
      }
    });
  }
  std::string text;
  fmt::format_to(std::back_inserter(text), "p edge {} {}\n", graph.arms(), graph.arc_count() / 2);
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double) {
      if (played < seen) {
        fmt::format_to(std::back_inserter(text), "e {} {}\n", std::size_t{played} + 1,
                       std::size_t{seen} + 1);
        flush_if_large(text, sink);
      }
    });
  }
  sink(text);
}

}  // namespace hearsay::formats
