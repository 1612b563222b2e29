#include <algorithm>
#include <cassert>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/options.h"
#include "hearsay/base/error.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/summary.h"
#include "hearsay/graph/thin.h"
#include "hearsay/random/stream.h"

namespace hearsay::cli {
namespace {

const CatalogueEntry& family_of(std::string_view name) {
  const auto families = graph_families();
  const auto found = std::ranges::find(families, name, &CatalogueEntry::name);
  assert(found != families.end());
  return *found;
}

// Adds `graph make NAME`. `example`: options a reader may try. `bind` ties the Options, which hold
// the defaults, to options of the program; `make` turns them and a stream into a graph.
template <class Options, class Bind, class Make>
void add_family(CLI::App& make_command, const std::string& name, const std::string& example,
                const Options& defaults, Bind bind, Make make) {
  struct Call {
    Options options;
    std::string file;
    std::uint64_t seed = 1;
  };
  const CatalogueEntry& family = family_of(name);
  CLI::App* command = make_command.add_subcommand(name, std::string(family.summary));
  command->footer(fmt::format("Example: hearsay graph make {} {} -o {}.npy{}{}", name, example,
                              name, family.reference.empty() ? "" : "\n", family.reference));
  const auto call = std::make_shared<Call>(Call{defaults, {}, 1});
  bind(*command, call->options);
  command->add_option("-o,--output", call->file, "The file to write; its ending is its format")
      ->required()
      ->type_name("FILE");
  add_number(*command, "--seed", call->seed, "Of what is random");
  command->callback([=] {
    graph_format(call->file);  // a wrong ending, before the work
    write_graph(make(call->options, Stream(call->seed, Purpose::graph)), call->file);
  });
}

void add_symmetric(CLI::App& command, Directions& directions) {
  command.add_flag_callback(
      "--symmetric", [&directions] { directions = Directions::symmetric; },
      "Both directions of a pair the same (without it, each is drawn by itself)");
}

// A family whose only option is a size.
template <class Make>
void add_sized_family(CLI::App& make_command, const std::string& name, const std::string& option,
                      const std::string& help, std::size_t example, Make make) {
  add_family(
      make_command, name, fmt::format("{} {}", option, example), std::size_t{0},
      [&](CLI::App& command, std::size_t& size) {
        add_number(command, option, size, help)->default_str("")->required();
      },
      [make](std::size_t size, const Stream&) { return make(size); });
}

void bind_grid(CLI::App& command, Grid& grid) {
  add_number(command, "--side", grid.side, "Arms along a side; side x side in all");
  CLI::Option* spacing =
      add_number(command, "--spacing", grid.spacing, "Distance between neighbours");
  command
      .add_flag_callback(
          "--unit-square", [&grid] { grid.spacing.reset(); }, "Fill [0, 1] x [0, 1] instead")
      ->excludes(spacing);
  command
      .add_option_function<std::string>(
          "--weight",
          [&grid](const std::string& word) { grid.weight = parse_distance_weight(word); },
          "By the distance d: inverse-square-cap:C is min(C/d^2, 1), inverse-one-plus-square is "
          "1/(1+d^2), inverse-square-one-plus is 1/(1+d)^2")
      ->type_name("LAW")
      ->default_str("inverse-square-cap:3");
}

void add_make(CLI::App& graph) {
  CLI::App* command = graph.add_subcommand("make", "Make a graph of a family");
  command->footer(
      "Example: hearsay graph make grid --side 5 -o grid.npy\n"
      "The options of a family: hearsay graph make FAMILY --help");

  add_family(*command, "grid", "--side 5 --unit-square --weight inverse-one-plus-square", Grid{},
             bind_grid, [](const Grid& grid, const Stream&) { return make_grid(grid); });
  add_family(
      *command, "uniform", "--arms 100 --low 0.5 --high 1", Uniform{},
      [](CLI::App& app, Uniform& uniform) {
        add_number(app, "--arms", uniform.arms, "Number of arms");
        add_number(app, "--low", uniform.low, "Smallest weight");
        add_number(app, "--high", uniform.high, "Largest weight");
        add_symmetric(app, uniform.directions);
      },
      [](const Uniform& uniform, const Stream& stream) { return make_uniform(uniform, stream); });
  add_family(
      *command, "erdos-renyi", "--arms 100 --p 0.1", ErdosRenyi{},
      [](CLI::App& app, ErdosRenyi& random) {
        add_number(app, "--arms", random.arms, "Number of arms");
        add_number(app, "--p", random.probability, "Probability of an arc");
        add_number(app, "--weight", random.weight, "Weight of an arc");
        add_symmetric(app, random.directions);
      },
      [](const ErdosRenyi& random, const Stream& stream) {
        const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
        return make_erdos_renyi(random, stream, 0, threads);
      });
  add_family(
      *command, "cliques", "--count 4 --size 6", Cliques{},
      [](CLI::App& app, Cliques& cliques) {
        add_number(app, "--count", cliques.count, "Number of cliques");
        add_number(app, "--size", cliques.size, "Arms of each");
      },
      [](const Cliques& cliques, const Stream&) { return make_cliques(cliques); });
  add_sized_family(*command, "star", "--arms", "Number of arms", 10, make_star);
  add_sized_family(*command, "cycle", "--arms", "Number of arms", 10, make_cycle);
  add_sized_family(*command, "complete", "--arms", "Number of arms", 10, make_complete);
  add_sized_family(*command, "empty", "--arms", "Number of arms", 10, make_empty);
  add_family(
      *command, "constant", "--arms 25 --weight 0.5", Constant{},
      [](CLI::App& app, Constant& constant) {
        add_number(app, "--arms", constant.arms, "Number of arms");
        add_number(app, "--weight", constant.weight, "Weight of every arc");
      },
      [](const Constant& constant, const Stream&) { return make_constant(constant); });
  add_sized_family(*command, "king", "--side", "Arms along a side", 8, make_king);
  add_family(
      *command, "hamming", "--length 8 --distance 4", Hamming{},
      [](CLI::App& app, Hamming& hamming) {
        add_number(app, "--length", hamming.length, "Bits of a word");
        add_number(app, "--distance", hamming.distance, "Least distance of an edge");
      },
      [](const Hamming& hamming, const Stream&) { return make_hamming(hamming); });
  add_family(
      *command, "johnson", "--length 8 --ones 4 --distance 4", Johnson{},
      [](CLI::App& app, Johnson& johnson) {
        add_number(app, "--length", johnson.length, "Bits of a word");
        add_number(app, "--ones", johnson.ones, "Bits of it that are 1");
        add_number(app, "--distance", johnson.distance, "Least distance of an edge");
      },
      [](const Johnson& johnson, const Stream&) { return make_johnson(johnson); });
  add_sized_family(*command, "keller", "--dimension", "Digits of a word", 4, make_keller);
  require_one_subcommand(*command, "graph make", "FAMILY");
}

void add_arms(CLI::App& command, GraphReading& reading) {
  add_number(command, "--arms", reading.arms,
             "Number of arms; without it, as the file says (.csv, .arcs.npy: 1 + the largest)");
}

void print_text(const GraphSummary& summary, const Graph& graph) {
  const auto weight = [](const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string("none");
  };
  std::cout << fmt::format("arms             {}\n", summary.arms)
            << fmt::format("arcs             {}\n", summary.arcs)
            << fmt::format("density          {}\n", summary.density)
            << fmt::format("symmetric        {}\n", summary.symmetric ? "yes" : "no")
            << fmt::format("self weight      {}\n", summary.self_weight)
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
    GraphReading reading;
    bool json = false;
  };
  CLI::App* command = graph.add_subcommand("info", "Arms, arcs and weights of a graph file");
  command->footer(
      "Arcs are those of positive weight between different arms; the smallest and the largest\n"
      "weight are theirs.\n"
      "Example: hearsay graph info grid.npy --json");
  const auto options = std::make_shared<Options>();
  command
      ->add_option("FILE", options->file,
                   "The graph: .npy, .arcs.npy, .mtx, .csv, .clq, .col or .dimacs")
      ->required()
      ->type_name("");
  add_arms(*command, options->reading);
  command->add_flag("--json", options->json, "One JSON object");
  command->callback([options] {
    const Graph read = read_graph(options->file, options->reading);
    options->json ? print_json(summarize(read), read) : print_text(summarize(read), read);
  });
}

void add_convert(CLI::App& graph) {
  struct Options {
    std::string in;
    std::string out;
    GraphReading reading;
    std::optional<double> thin;
  };
  CLI::App* command = graph.add_subcommand("convert", "Write a graph file in another format");
  command->footer(
      "Examples:\n"
      "  hearsay graph convert grid.npy grid.mtx\n"
      "  hearsay graph convert dense.npy sparse.mtx --thin 0.5");
  const auto options = std::make_shared<Options>();
  command->add_option("IN", options->in, "The graph to read")->required()->type_name("");
  command->add_option("OUT", options->out, "The file to write; its ending is its format")
      ->required()
      ->type_name("");
  add_arms(*command, options->reading);
  add_number(*command, "--thin", options->thin, "Leave out arcs of less weight than this");
  command->callback([options] {
    graph_format(options->out);  // a wrong ending, before the work
    const Graph read = read_graph(options->in, options->reading);
    write_graph(options->thin ? thin(read, *options->thin) : read, options->out);
  });
}

}  // namespace

void add_graph(CLI::App& app) {
  CLI::App* graph = app.add_subcommand("graph", "Make, look at and convert graphs");
  add_make(*graph);
  add_info(*graph);
  add_convert(*graph);
  graph->footer(
      "Example:\n"
      "  hearsay graph make grid --side 5 -o grid.npy && hearsay graph info grid.npy");
  require_one_subcommand(*graph, "graph", "COMMAND");
}

}  // namespace hearsay::cli
