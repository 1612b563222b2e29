#include "cli/claims_table.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "cli/wrapped_text.h"

namespace hearsay::cli {
namespace {

constexpr std::size_t kColumns = 4;
constexpr std::size_t kGap = 2;  // between columns
using Widths = std::array<std::size_t, kColumns>;

// The verdict has its width, and the texts share the rest.
Widths column_widths() {
  constexpr Widths kWidest = {34, 22, 42, 13};
  const std::size_t rest = text_width() - kWidest.back() - (kColumns - 1) * kGap;
  Widths widths = kWidest;
  for (std::size_t i = 0; i + 1 < kColumns; ++i) {
    widths.at(i) = std::min(kWidest.at(i), kWidest.at(i) * rest / (34 + 22 + 42));
  }
  return widths;
}

struct StyledCell {
  std::string_view text;
  std::optional<Style> style = {};
};

void print_row(const Widths& widths, const std::array<StyledCell, kColumns>& cells) {
  std::array<std::vector<std::string>, kColumns> columns;
  std::size_t height = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns.at(i) = wrapped(cells.at(i).text, widths.at(i));
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
        blanks = widths.at(i) - std::min(widths.at(i), width_of(part)) + kGap;
      } else {
        blanks += widths.at(i) + kGap;
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

// "19 claims hold, 3 hold in part, 2 do not".
std::string summary_of(const reproduce::Claims& claims) {
  const auto count = [&](Style style) {
    return static_cast<std::size_t>(std::ranges::count(
        claims, style, [](const Report::Claim& claim) { return style_of(claim.verdict); }));
  };
  const auto verb = [](std::size_t number, const char* one, const char* several) {
    return fmt::format("{} {}", number, number == 1 ? one : several);
  };
  return fmt::format("{}, {}, {}", verb(count(Style::good), "claim holds", "claims hold"),
                     verb(count(Style::caution), "holds in part", "hold in part"),
                     verb(count(Style::bad), "does not", "do not"));
}

}  // namespace

void print_claims(const reproduce::Claims& claims) {
  const Widths widths = column_widths();
  print_row(widths, {{{"claim", Style::heading},
                      {"paper", Style::heading},
                      {"measured", Style::heading},
                      {"verdict", Style::heading}}});
  for (const Report::Claim& claim : claims) {
    std::cout << '\n';
    print_row(widths, {{{claim.claim},
                        {claim.paper},
                        {claim.measured},
                        {claim.verdict, style_of(claim.verdict)}}});
  }
  std::cout << '\n' << summary_of(claims) << '\n';
}

}  // namespace hearsay::cli
