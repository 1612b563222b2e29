#pragma once

// The command `run`, which hearsay and hearsay-mpi share.

#include <CLI/CLI.hpp>

#include "hearsay/runner/run_options.h"

namespace hearsay::cli {

// If `compute` is not empty, it computes the units on `workers` threads, which may be in other
// processes, and the command has no options for threads and shards.
CLI::App* add_run(CLI::App& app, const ComputeUnits& compute, unsigned workers);

}  // namespace hearsay::cli
