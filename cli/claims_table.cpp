#include "cli/claims_table.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/text.h"

namespace hearsay::cli {
namespace {

constexpr std::array<std::size_t, 4> kWidths = {34, 22, 42, 13};

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::string_view word = take_word(text); !word.empty(); word = take_word(text)) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back();
    }
    lines.back().append(lines.back().empty() ? "" : " ").append(word);
  }
  return lines;
}

void print_row(const std::array<std::string_view, kWidths.size()>& cells) {
  std::array<std::vector<std::string>, kWidths.size()> columns;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns.at(i) = wrap(cells.at(i), kWidths.at(i));
    height = std::max(height, columns.at(i).size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      text += fmt::format("{:<{}}  ", line < columns.at(i).size() ? columns.at(i)[line] : "",
                          kWidths.at(i));
    }
    text.erase(text.find_last_not_of(' ') + 1);
    std::cout << text << '\n';
  }
}

}  // namespace

void print_claims(const reproduce::Claims& claims) {
  print_row({"claim", "paper", "measured", "verdict"});
  for (const Report::Claim& claim : claims) {
    std::cout << '\n';
    print_row({claim.claim, claim.paper, claim.measured, claim.verdict});
  }
}

}  // namespace hearsay::cli
