#pragma once

// Prints the worlds of `hearsay reproduce field` to standard output: what each is, its best learner
// and uniform play.

#include <span>

#include "reproduce/field.h"

namespace hearsay::cli {

void print_field(std::span<const reproduce::FieldRow> rows);

}  // namespace hearsay::cli
