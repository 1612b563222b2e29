#pragma once

// `hearsay run`, whoever computes: the threads of this process, or other processes.

#include <functional>

#include <CLI/CLI.hpp>

#include "hearsay/work/runner.h"

namespace hearsay::cli {

// Computes what the ledger hands out; calls look() now and then, which may stop it. Returns whether
// everything is done.
using Compute = std::function<bool(const Plan& plan, Ledger& ledger,
                                   const std::function<void(const WorkDone&)>& look)>;

// Without one, `run` takes --threads and computes itself.
CLI::App* add_run(CLI::App& app, const Compute& compute);

}  // namespace hearsay::cli
