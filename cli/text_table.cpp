#include "cli/text_table.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

namespace hearsay::cli {

void print_table(const TextTable& table) {
  std::vector<std::size_t> widths(table.front().size());
  for (const auto& line : table) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], line[i].size());
    }
  }
  for (const auto& line : table) {
    std::string text = fmt::format("{:<{}}", line.front(), widths.front());
    for (std::size_t i = 1; i < line.size(); ++i) {
      text += fmt::format("  {:>{}}", line[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    std::cout << text << '\n';
  }
}

}  // namespace hearsay::cli
