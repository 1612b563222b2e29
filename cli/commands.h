#pragma once

// The commands of the program, one file each. A command adds its options to `app` and, when it is
// the one called, runs from its callback. It prints results to standard output, throws
// hearsay::Error for a wrong input (exit code 2) and Failure for what could not be done (1). A
// command that prints for a long time throws OutputNotWritten when that fails.

#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace hearsay::cli {

class Failure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Standard output could not be written, and nothing else is left to do. std::cout is then not good.
class OutputNotWritten : public std::exception {};

// The placeholder of an argument that is a name of `hearsay list`, for completion.
inline constexpr const char* kListedName = "LISTED";

// All names that `hearsay list` shows, each once.
std::vector<std::string> listed_names();

void add_alpha(CLI::App& app);
void add_calibrate(CLI::App& app);
void add_graph(CLI::App& app);
void add_completion(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_list(CLI::App& app);
void add_man(CLI::App& app);
void add_merge(CLI::App& app);
void add_replay(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_run(CLI::App& app);

}  // namespace hearsay::cli
