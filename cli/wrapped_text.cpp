#include "cli/wrapped_text.h"

#include <algorithm>

#include "cli/terminal.h"
#include "hearsay/base/text.h"

namespace hearsay::cli {

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) {
      lines.emplace_back();
    }
    lines.back().append(lines.back().empty() ? "" : " ").append(word);
  }
  return lines;
}

std::string with_hanging_indent(std::string_view head, std::string_view text, std::size_t column) {
  constexpr std::size_t kLeastGap = 2;
  std::string out(head);
  std::size_t at = width_of(head);
  if (at > 0 && at + kLeastGap > column) {
    out += '\n';
    at = 0;
  }
  for (const std::string& line : wrapped(text, text_width() - column)) {
    out.append(column - at, ' ').append(line).append("\n");
    at = 0;
  }
  return out;
}

}  // namespace hearsay::cli
