#pragma once

// A table of text on standard output.

#include <string>
#include <vector>

namespace hearsay::cli {

// A list of lines, the first of which has the titles of the columns.
using TextTable = std::vector<std::vector<std::string>>;

// The first column is aligned to the left, the others to the right.
void print_table(const TextTable& table);

}  // namespace hearsay::cli
