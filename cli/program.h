#pragma once

// The way in and out that our programs share.

#include <CLI/CLI.hpp>

namespace hearsay::cli {

// An app with our name and version, and no command yet.
void name_program(CLI::App& app);

// Runs the command that was called, and says what went wrong in one line. Returns the exit code.
int run_program(CLI::App& app, int argc, char** argv);

}  // namespace hearsay::cli
