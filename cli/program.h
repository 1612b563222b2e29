#pragma once

// What hearsay and hearsay-mpi have in common: name and version, error messages, exit codes.

#include <string>

#include <CLI/CLI.hpp>

namespace hearsay::cli {

// Sets the name of the program in its help, and the options --help and --version.
void name_program(CLI::App& app, const std::string& name);

// Runs the command that was called. Prints an error as one line. Returns the exit code.
int run_program(CLI::App& app, int argc, char** argv);

}  // namespace hearsay::cli
