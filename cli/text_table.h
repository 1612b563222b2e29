#pragma once

// A table of text on standard output.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace hearsay::cli {

struct TextTable {
  // Of texts and of numbers. Only the last column may be wrapped: a text in lines that fit
  // text_width(), or below its row if the other columns leave too little space.
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
