#include "cli/text_table.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <span>

#include <unistd.h>

#include "cli/terminal.h"
#include "cli/wrapped_text.h"

namespace hearsay::cli {
namespace {

// `cells` are those of the first columns.
std::string line_of(const TextTable& table, std::span<const std::string> cells,
                    std::span<const std::size_t> widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - width_of(cells[i]), ' ');
    line +=
        (i == 0 ? "" : "  ") +
        (table.columns[i].align == TextTable::Align::right ? blanks + cells[i] : cells[i] + blanks);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// The column at which the text of a wrapped column begins; nullopt if the table has no
// such column.
std::optional<std::size_t> column_of_text(const TextTable& table,
                                          std::span<const std::size_t> widths) {
  constexpr std::size_t kLeastWidth = 24;
  constexpr std::size_t kBelow = 4;
  if (table.columns.empty() || table.columns.back().align != TextTable::Align::wrapped) {
    return std::nullopt;
  }
  std::size_t column = 0;
  for (const std::size_t width : widths.first(widths.size() - 1)) {
    column += width + 2;
  }
  return column + std::min(kLeastWidth, widths.back()) <= text_width() ? column : kBelow;
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
  const std::optional<std::size_t> column = column_of_text(table, widths);
  const auto lines_of = [&](std::span<const std::string> cells) {
    std::string lines =
        column ? with_hanging_indent(line_of(table, cells.first(cells.size() - 1), widths),
                                     cells.back(), *column)
               : line_of(table, cells, widths) + '\n';
    lines.pop_back();
    return lines;
  };
  std::cout << styled(lines_of(titles), Style::heading, STDOUT_FILENO) << '\n';
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string lines = lines_of(table.rows[i]);
    std::cout << (i == table.best ? styled(lines, Style::good, STDOUT_FILENO) : lines) << '\n';
  }
}

}  // namespace hearsay::cli
