#pragma once

// The command `run`, which hearsay and hearsay-mpi share.

#include <CLI/CLI.hpp>

#include "hearsay/runner/run_options.h"

namespace hearsay::cli {

// If `compute` is not empty, it computes the units in place of threads of this process, and the
// command has no options for threads and shards.
CLI::App* add_run(CLI::App& app, const ComputeUnits& compute);

}  // namespace hearsay::cli
