#pragma once

// Prints the worlds of `hearsay reproduce worlds` to standard output: what each is, its best
// learner and uniform play.

#include <span>

#include "reproduce/worlds.h"

namespace hearsay::cli {

void print_worlds(std::span<const reproduce::WorldRow> rows);

}  // namespace hearsay::cli
