#pragma once

// The options that several commands have, each described once and in the same words.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/field_options.h"
#include "hearsay/graph/files.h"

namespace hearsay::cli {

// The endings of graph files, for the help of an argument that is one.
inline constexpr const char* kGraphFile =
    "the graph: .npy, .arcs.npy, .mtx, .csv, .clq, .col or .dimacs";

// --json. `more` is added to the help, to describe the object that is printed.
void add_json(CLI::App& command, bool& json, const std::string& more = "");

void add_quiet(CLI::App& command, bool& quiet);

// --threads. nullopt, if it is not given, means one for each core.
void add_threads(CLI::App& command, std::optional<unsigned>& threads);

// What --threads says, or the number of cores.
unsigned thread_count(const std::optional<unsigned>& threads);

CLI::Option* add_seed(CLI::App& command, std::uint64_t& seed);

// --out, the directory of the results. `fallback` is shown as the default; if it is
// empty, the option is required.
void add_out(CLI::App& command, std::string& out, const std::string& fallback);

CLI::Option* add_force(CLI::App& command, bool& force);

// -o, --output: a graph.
CLI::Option* add_graph_output(CLI::App& command, std::string& file);

// --report, the file of a page. `what` says in the help what the page shows.
void add_report(CLI::App& command, std::string& file, const std::string& what);

// --arms of a graph file.
void add_arms(CLI::App& command, GraphReadOptions& read_options);

// Reads a graph of a command that has --arms.
NamedGraph read_graph_file(const std::string& path, const GraphReadOptions& read_options);

// Adds the parameters of learners as options, except those named. If a parameter has no common
// default, its help lists the default of each learner, and the learners that require it.
std::vector<CLI::Option*> add_parameters(CLI::App& command, FieldOptions& parameters,
                                         std::span<const std::string_view> except);

}  // namespace hearsay::cli
