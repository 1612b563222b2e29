#include "hearsay/graph/files.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/graph/formats.h"

namespace hearsay {

namespace formats {

std::string place_of(const std::string& name, std::size_t line) {
  return fmt::format("{}:{}", name, std::max<std::size_t>(line, 1));
}

void check_read_options(const GraphReadOptions& options) {
  if (options.arms && (*options.arms == 0 || *options.arms > GraphReadOptions::kMostArms)) {
    throw Error("arms",
                fmt::format("is {}, expected 1 to {}", *options.arms, GraphReadOptions::kMostArms));
  }
}

void check_stated_arms(std::size_t arms, const std::string& place,
                       const GraphReadOptions& options) {
  if (options.arms && *options.arms != arms) {
    throw Error(place, fmt::format("{} arms, expected {} as requested", arms, *options.arms));
  }
  if (arms == 0 || arms > std::numeric_limits<Arm>::max()) {
    throw Error(place,
                fmt::format("{} arms, expected 1 to {}", arms, std::numeric_limits<Arm>::max()));
  }
}

std::size_t most_arms(std::size_t bytes, const GraphReadOptions& options) {
  return options.arms.value_or(std::clamp<std::size_t>(bytes, GraphReadOptions::kUnfilledArms,
                                                       std::numeric_limits<Arm>::max()));
}

std::string wrong_arm_message(std::string_view arm, std::size_t most,
                              const GraphReadOptions& options) {
  return fmt::format("the arm is {}, expected 0 to {}{}", arm, most - 1,
                     options.arms ? "" : " (--arms N allows more in a file this small)");
}

std::size_t arms_of_list(std::size_t listed, const std::string& name,
                         const GraphReadOptions& options) {
  if (listed == 0 && !options.arms) {
    throw Error(name, "has no arcs, so the number of arms is unknown: expected an arc or --arms N");
  }
  return options.arms.value_or(listed);
}

double read_weight(const LineReader& lines, std::string_view word) {
  double weight = 0;
  if (!read_number(word, weight) || !(weight >= 0 && weight <= 1)) {
    lines.fail(fmt::format("the weight is {}, expected a number in [0, 1]", in_quotes(word)));
  }
  return weight;
}

void flush_if_large(std::string& text, const ByteSink& sink) {
  constexpr std::size_t kLarge = std::size_t{1} << 16U;
  if (text.size() >= kLarge) {
    sink(text);
    text.clear();
  }
}

}  // namespace formats

GraphFormat graph_format(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  const std::string ending = dot == std::string::npos || path[dot] == '/' ? "" : path.substr(dot);
  if (ending == ".npy") {
    return path.ends_with(".arcs.npy") ? GraphFormat::arc_npy : GraphFormat::npy;
  }
  if (ending == ".mtx") {
    return GraphFormat::matrix_market;
  }
  if (ending == ".csv") {
    return GraphFormat::arc_csv;
  }
  if (ending == ".clq" || ending == ".col" || ending == ".dimacs") {
    return GraphFormat::dimacs;
  }
  throw Error(
      path, fmt::format(
                "{}, expected a graph file: .npy, .arcs.npy, .mtx, .csv, .clq, .col or .dimacs",
                ending.empty() ? "has no ending" : "has the unknown ending " + in_quotes(ending)));
}

namespace {

GraphReadOptions with_number_of_names(GraphReadOptions options) {
  if (!options.names.empty()) {
    options.arms = options.names.size();
  }
  return options;
}

}  // namespace

bool holds_names(GraphFormat format) {
  return format == GraphFormat::arc_csv;
}

NamedGraph parse_named_graph(GraphFormat format, std::string_view bytes, const std::string& name,
                             const GraphReadOptions& options) {
  const GraphReadOptions complete = with_number_of_names(options);
  formats::check_read_options(complete);
  switch (format) {
    case GraphFormat::npy:
      return {formats::parse_npy(bytes, name, complete)};
    case GraphFormat::matrix_market:
      return {formats::parse_matrix_market(bytes, name, complete)};
    case GraphFormat::arc_csv:
      return formats::parse_arc_csv(bytes, name, complete);
    case GraphFormat::arc_npy:
      return {formats::parse_arc_npy(bytes, name, complete)};
    case GraphFormat::dimacs:
      break;
  }
  assert(format == GraphFormat::dimacs);
  return {formats::parse_dimacs(bytes, name, complete)};
}

Graph parse_graph(GraphFormat format, std::string_view bytes, const std::string& name,
                  const GraphReadOptions& options) {
  return parse_named_graph(format, bytes, name, options).graph;
}

void print_graph(GraphFormat format, const Graph& graph, const std::string& name,
                 const ByteSink& sink, std::span<const std::string> names) {
  assert(names.empty() || names.size() == graph.arms());
  switch (format) {
    case GraphFormat::npy:
      return formats::print_npy(graph, sink);
    case GraphFormat::matrix_market:
      return formats::print_matrix_market(graph, sink);
    case GraphFormat::arc_csv:
      return formats::print_arc_csv(graph, names, name, sink);
    case GraphFormat::arc_npy:
      return formats::print_arc_npy(graph, sink);
    case GraphFormat::dimacs:
      return formats::print_dimacs(graph, name, sink);
  }
}

NamedGraph read_named_graph(const std::string& path, const GraphReadOptions& options) {
  const GraphFormat format = graph_format(path);
  return format == GraphFormat::npy
             ? NamedGraph{formats::read_npy(path, with_number_of_names(options))}
             : parse_named_graph(format, read_file(path), path, options);
}

Graph read_graph(const std::string& path, const GraphReadOptions& options) {
  return read_named_graph(path, options).graph;
}

void write_graph(const Graph& graph, const std::string& path, std::span<const std::string> names) {
  const GraphFormat format = graph_format(path);
  NewFile file(path);
  print_graph(
      format, graph, path, [&](std::string_view bytes) { file.write(bytes); }, names);
  file.commit();
}

}  // namespace hearsay
