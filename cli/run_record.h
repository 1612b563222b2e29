#pragma once

// When, where and how long: the text of run.json, which is beside the results of a run. It is the
// only file of an output directory in which two equal runs may differ.

#include <cstddef>
#include <functional>
#include <string>

namespace hearsay::cli {

// A function that returns the text of a call that starts now and has ended when the function is
// called. `threads`: with how many it computes.
std::function<std::string()> start_run_record(std::size_t threads);

}  // namespace hearsay::cli
