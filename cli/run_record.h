#pragma once

// The text of run.json: when and where a run was made and how long it took. It is the only file of
// an output directory in which two equal runs may differ.

#include <cstddef>
#include <functional>
#include <string>

namespace hearsay::cli {

// Notes the start of a run and returns a function that, called when the run has ended, returns the
// text. `threads` is the number of threads of the run.
std::function<std::string()> start_run_record(std::size_t threads);

}  // namespace hearsay::cli
