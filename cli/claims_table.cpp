#include "cli/claims_table.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "cli/terminal.h"
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

struct StyledCell {
  std::string_view text;
  std::optional<Style> style = {};
};

void print_row(const std::array<StyledCell, kWidths.size()>& cells) {
  std::array<std::vector<std::string>, kWidths.size()> columns;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns.at(i) = wrap(cells.at(i).text, kWidths.at(i));
    height = std::max(height, columns.at(i).size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::string text;
    std::size_t blanks = 0;  // before the next part
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (line < columns.at(i).size()) {
        const std::string& part = columns.at(i)[line];
        const std::optional<Style>& style = cells.at(i).style;
        text += std::string(blanks, ' ') + (style ? styled(part, *style, STDOUT_FILENO) : part);
        blanks = kWidths.at(i) - std::min(kWidths.at(i), part.size()) + 2;
      } else {
        blanks += kWidths.at(i) + 2;
      }
    }
    std::cout << text << '\n';
  }
}

Style style_of(std::string_view verdict) {
  return verdict == "holds"           ? Style::good
         : verdict == "does not hold" ? Style::bad
                                      : Style::caution;
}

}  // namespace

void print_claims(const reproduce::Claims& claims) {
  print_row({{{"claim", Style::heading},
              {"paper", Style::heading},
              {"measured", Style::heading},
              {"verdict", Style::heading}}});
  for (const Report::Claim& claim : claims) {
    std::cout << '\n';
    print_row({{{claim.claim},
                {claim.paper},
                {claim.measured},
                {claim.verdict, style_of(claim.verdict)}}});
  }
}

}  // namespace hearsay::cli
