#pragma once

// What hearsay and hearsay-mpi have in common: name and version, error messages, exit codes.

#include <CLI/CLI.hpp>

namespace hearsay::cli {

// Sets the name and the option --version.
void name_program(CLI::App& app);

// Runs the command that was called. Prints an error as one line. Returns the exit code.
int run_program(CLI::App& app, int argc, char** argv);

}  // namespace hearsay::cli
