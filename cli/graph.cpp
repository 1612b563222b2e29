#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/field_options.h"
#include "cli/options.h"
#include "cli/output_files.h"
#include "cli/shared_options.h"
#include "cli/stop_signals.h"
#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/npy.h"
#include "hearsay/base/number_text.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/distance_weight.h"
#include "hearsay/graph/family_catalogue.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/similarity.h"
#include "hearsay/graph/summary.h"
#include "hearsay/graph/thin.h"
#include "hearsay/random/stream.h"

namespace hearsay::cli {
namespace {

// A signal ends this without leaving a temporary file.
void write_interruptibly(const Graph& graph, const std::string& file,
                         std::span<const std::string> names = {}) {
  const InterruptibleBySignals interruptible;
  write_graph(graph, file, names);
}

// Refuses a wrong number before the work; thin() would refuse it only afterwards.
void check_thin(const std::optional<double>& at_least) {
  if (at_least && !(*at_least >= 0 && *at_least <= 1)) {
    throw Error("--thin", fmt::format("is {}, expected a number in [0, 1]", *at_least));
  }
}

// The example of a family, in lines that fit a terminal: they are not wrapped.
std::string example_of(const GraphFamily& family) {
  constexpr std::size_t kWidth = 71;
  constexpr std::size_t kIndent = 4;  // of what continues a line
  std::string rest =
      fmt::format("  hearsay graph make {0} {1} -o {0}.npy", family.entry.name, family.example);
  std::string lines;
  while (rest.size() > kWidth) {
    const std::size_t end = rest.rfind(" -", kWidth - 2);
    if (end == std::string::npos || end < kIndent) {
      break;  // one option is longer than a line
    }
    lines += rest.substr(0, end) + " \\\n";
    rest = std::string(kIndent, ' ') + rest.substr(end + 1);
  }
  return lines + rest;
}

// Adds `graph make NAME`, with an option for every field of the family.
void add_family(CLI::App& make_command, const GraphFamily& family) {
  struct Call {
    FieldOptions options;
    std::string file;
    std::uint64_t seed = 1;
  };
  const auto& [name, summary, reference] = family.entry;
  std::string description(summary);
  description[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(description[0])));
  CLI::App* command = make_command.add_subcommand(std::string(name), description);
  command->footer(fmt::format("Source: {}\n\nExample:\n{}", reference, example_of(family)));
  const auto call = std::make_shared<Call>(Call{FieldOptions(family.defaults), {}, 1});
  call->options.add_to(*command);
  add_graph_output(*command, call->file)->required();
  add_seed(*command, call->seed);
  command->callback([call, &family] {
    graph_format(call->file);  // refuses a wrong ending before the work
    call->options.use([&](const AnyOptions& options) {
      const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
      write_interruptibly(family.make(options, Stream(call->seed, Purpose::graph), 0, threads),
                          call->file);
    });
  });
}

// `graph make --from FILE`: what is given instead of a family.
struct MatrixOptions {
  std::string from;  // empty if not given
  bool distances = false;
  std::string kernel;  // empty for the default
  std::optional<std::size_t> nearest;
  std::optional<double> thin;
  std::string symmetrize;  // empty if not given
  std::string file;
};

DistanceWeight parse_kernel(const std::string& text) {
  try {
    DistanceWeight kernel = {.law = DistanceWeight::Law::inverse_one_plus_square};
    if (!text.empty()) {
      kernel = parse_distance_weight(text);
    }
    kernel.check();
    return kernel;
  } catch (const Error& error) {
    throw Error("--kernel", error.what());
  }
}

Graph read_matrix(const MatrixOptions& options, const DistanceWeight& kernel) {
  const std::string& name = options.from;
  if (graph_format(name) != GraphFormat::npy) {
    throw Error("--from", fmt::format("{}, expected a .npy file with a square matrix", name));
  }
  const std::string bytes = read_file(name);
  const NpyHeader header = read_npy_header(bytes, name);
  if (header.rows != header.columns) {
    throw Error(name + ": shape", fmt::format("is ({}, {}), expected as many rows as columns",
                                              header.rows, header.columns));
  }
  try {
    std::vector<double> numbers = read_npy_values(bytes, header);
    return options.distances ? from_distances(header.rows, std::move(numbers), kernel)
                             : from_similarity(header.rows, std::move(numbers));
  } catch (const ArcError& error) {
    throw Error(fmt::format("{}: byte {}", name, header.byte_of(error.played(), error.seen())),
                error.what());
  } catch (const Error& error) {
    throw error.within(name);
  }
}

void make_from_matrix(const MatrixOptions& options) {
  if (options.file.empty()) {
    throw Error("--output", "is required with --from");
  }
  graph_format(options.file);  // refuses a wrong ending before the work
  check_outputs(options.from, {{"--output", options.file}});
  if (!options.distances && !options.kernel.empty()) {
    throw Error("--kernel", "is for distances, expected --distances too");
  }
  check_thin(options.thin);
  const DistanceWeight kernel = parse_kernel(options.kernel);
  Symmetry symmetry = Symmetry::max;
  if (!options.symmetrize.empty()) {
    try {
      symmetry = parse_symmetry(options.symmetrize);
    } catch (const Error& error) {
      throw Error("--symmetrize", error.what());
    }
  }
  Graph made = read_matrix(options, kernel);
  if (options.nearest) {
    made = nearest(made, *options.nearest);
  }
  if (options.thin) {
    made = thin(made, *options.thin);
  }
  if (!options.symmetrize.empty()) {
    made = symmetrize(made, symmetry);
  }
  write_interruptibly(made, options.file);
}

// The options of --from. They are refused without it, and it is refused with a family.
void add_from_matrix(CLI::App& command, MatrixOptions& options) {
  CLI::Option* from =
      command
          .add_option("--from", options.from,
                      "make the graph from a square matrix of similarities in [0, 1] instead; row: "
                      "the arm played")
          ->type_name("FILE.npy");
  for (CLI::App* family : command.get_subcommands({})) {
    family->excludes(from);
  }
  command.add_flag("--distances", options.distances, "the matrix has distances")->needs(from);
  command.add_option("--kernel", options.kernel, std::string(kDistanceWeights))
      ->needs(from)
      ->type_name("LAW")
      ->default_str("inverse-one-plus-square");
  add_number(command, "--nearest", options.nearest,
             "for each arm played keep only this many arcs, those of the largest weights")
      ->needs(from);
  add_number(command, "--thin", options.thin, "then leave out arcs of less weight than this")
      ->needs(from);
  command
      .add_option("--symmetrize", options.symmetrize,
                  "then give both directions of a pair the larger, the smaller or the mean weight")
      ->needs(from)
      ->type_name("max|min|mean");
  add_graph_output(command, options.file)->needs(from);
}

void add_make(CLI::App& graph) {
  CLI::App* command =
      graph.add_subcommand("make", "Make a graph of a family, or from similarities or distances");
  command->footer(
      "The options of a family: hearsay graph make FAMILY --help\n\n"
      "Example:\n"
      "  hearsay graph make grid --side 5 -o grid.npy\n"
      "  hearsay graph make --from grid.npy --nearest 10 --symmetrize max \\\n"
      "    -o nearest.npy");
  for (const GraphFamily& family : graph_families()) {
    add_family(*command, family);
  }
  const auto options = std::make_shared<MatrixOptions>();
  add_from_matrix(*command, *options);
  require_one_subcommand(*command, "graph make", "FAMILY",
                         {.usage = "--from FILE.npy -o FILE [OPTIONS]", .run = [options] {
                            if (options->from.empty()) {
                              return false;
                            }
                            make_from_matrix(*options);
                            return true;
                          }});
}

void print_text(const GraphSummary& summary, const Graph& graph) {
  const auto weight = [](const std::optional<double>& value) {
    return value ? four_digits(*value) : std::string("none");
  };
  std::cout << fmt::format("arms             {}\n", grouped_digits(summary.arms))
            << fmt::format("arcs             {}\n", grouped_digits(summary.arcs))
            << fmt::format("density          {}\n", four_digits(summary.density))
            << fmt::format("symmetric        {}\n", summary.symmetric ? "yes" : "no")
            << fmt::format("self weight      {}\n", four_digits(summary.self_weight))
            << fmt::format("smallest weight  {}\n", weight(summary.smallest_weight))
            << fmt::format("largest weight   {}\n", weight(summary.largest_weight))
            << fmt::format("storage          {}\n", graph.is_dense() ? "dense" : "sparse");
}

void print_json(const GraphSummary& summary, const Graph& graph) {
  const auto weight = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
  };
  std::cout << nlohmann::ordered_json{{"arms", summary.arms},
                                      {"arcs", summary.arcs},
                                      {"density", summary.density},
                                      {"symmetric", summary.symmetric},
                                      {"self_weight", summary.self_weight},
                                      {"smallest_weight", weight(summary.smallest_weight)},
                                      {"largest_weight", weight(summary.largest_weight)},
                                      {"storage", graph.is_dense() ? "dense" : "sparse"}}
                   .dump()
            << '\n';
}

void add_info(CLI::App& graph) {
  struct Options {
    std::string file;
    GraphReadOptions read_options;
    bool json = false;
  };
  CLI::App* command =
      graph.add_subcommand("info", "Print the arms, arcs and weights of a graph file");
  command->footer(
      "Arcs are those of positive weight between different arms; the smallest and the largest "
      "weight are theirs.\n\n"
      "Example:\n  hearsay graph make grid --side 5 -o grid.npy\n  hearsay graph info grid.npy");
  const auto options = std::make_shared<Options>();
  command->add_option("GRAPH", options->file, kGraphFile)->required()->type_name("");
  add_arms(*command, options->read_options);
  add_json(*command, options->json);
  command->callback([options] {
    const Graph read = read_graph_file(options->file, options->read_options).graph;
    options->json ? print_json(summarize(read), read) : print_text(summarize(read), read);
  });
}

void add_convert(CLI::App& graph) {
  struct Options {
    std::string in;
    std::string out;
    GraphReadOptions read_options;
    std::optional<double> thin;
  };
  CLI::App* command = graph.add_subcommand("convert", "Write a graph file in another format");
  command->footer(
      "Example:\n"
      "  hearsay graph make grid --side 5 -o grid.npy\n"
      "  hearsay graph convert grid.npy grid.mtx\n"
      "  hearsay graph convert grid.npy sparse.mtx --thin 0.5");
  const auto options = std::make_shared<Options>();
  command->add_option("GRAPH", options->in, kGraphFile)->required()->type_name("");
  command->add_option("FILE", options->out, "the file to write; its ending selects the format")
      ->required()
      ->type_name("");
  add_arms(*command, options->read_options);
  add_number(*command, "--thin", options->thin, "leave out arcs of less weight than this");
  command->callback([options] {
    graph_format(options->out);  // refuses a wrong ending before the work
    check_outputs(options->in, {{"FILE", options->out}});
    check_thin(options->thin);
    const NamedGraph read = read_graph_file(options->in, options->read_options);
    write_interruptibly(options->thin ? thin(read.graph, *options->thin) : read.graph, options->out,
                        read.names);
    warn_of_lost_names(options->out, read.names);
  });
}

}  // namespace

void add_graph(CLI::App& app) {
  CLI::App* graph = app.add_subcommand("graph", "Make, inspect and convert graphs");
  add_make(*graph);
  add_info(*graph);
  add_convert(*graph);
  graph->footer(
      "Example:\n"
      "  hearsay graph make grid --side 5 -o grid.npy\n"
      "  hearsay graph info grid.npy");
  require_one_subcommand(*graph, "graph", "COMMAND");
}

}  // namespace hearsay::cli
