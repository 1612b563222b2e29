#include "cli/text_table.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/terminal.h"

namespace hearsay::cli {
namespace {

// The number of characters of a text in UTF-8.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::string line_of(const TextTable& table, const std::vector<std::string>& cells,
                    const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - width_of(cells[i]), ' ');
    line +=
        (i == 0 ? "" : "  ") +
        (table.columns[i].align == TextTable::Align::left ? cells[i] + blanks : blanks + cells[i]);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

void print_table(const TextTable& table) {
  std::vector<std::string> titles;
  std::ranges::transform(table.columns, std::back_inserter(titles), &TextTable::Column::title);
  std::vector<std::size_t> widths;
  std::ranges::transform(titles, std::back_inserter(widths), width_of);
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  std::cout << styled(line_of(table, titles, widths), Style::heading, STDOUT_FILENO) << '\n';
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string line = line_of(table, table.rows[i], widths);
    std::cout << (i == table.best ? styled(line, Style::good, STDOUT_FILENO) : line) << '\n';
  }
}

}  // namespace hearsay::cli
