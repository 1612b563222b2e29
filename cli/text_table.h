#pragma once

// A table of text on standard output.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hearsay::cli {

struct TextTable {
  // Texts are aligned to the left, numbers to the right. Only the last column may be wrapped: its
  // text is broken into lines that fit text_width(), and stands below its row if the other columns
  // leave too little space.
  enum class Align { left, right, wrapped };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // a cell for each column
  std::optional<std::size_t> best = {};        // a row that is green on a terminal
};

void print_table(const TextTable& table);

}  // namespace hearsay::cli
