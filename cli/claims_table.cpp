#include "cli/claims_table.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
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

// The verdict has a fixed width; the other columns share the rest.
Widths column_widths() {
  constexpr Widths kWidest = {34, 22, 42, 13};
  constexpr std::size_t kShared = std::accumulate(kWidest.begin(), kWidest.end() - 1, 0UL);
  const std::size_t rest = text_width() - kWidest.back() - (kColumns - 1) * kGap;
  Widths widths = kWidest;
  for (std::size_t i = 0; i + 1 < kColumns; ++i) {
    widths.at(i) = std::min(kWidest.at(i), kWidest.at(i) * rest / kShared);
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

using Verdict = Report::Verdict;

Style style_of(Verdict verdict) {
  return verdict == Verdict::holds     ? Style::good
         : verdict == Verdict::in_part ? Style::caution
                                       : Style::bad;
}

// "19 claims hold, 3 hold in part, 2 do not".
std::string summary_of(const reproduce::Claims& claims) {
  const auto count = [&](Verdict verdict) {
    return static_cast<std::size_t>(std::ranges::count(claims, verdict, &Report::Claim::verdict));
  };
  const auto verb = [](std::size_t number, const char* one, const char* several) {
    return fmt::format("{} {}", number, number == 1 ? one : several);
  };
  return fmt::format("{}, {}, {}", verb(count(Verdict::holds), "claim holds", "claims hold"),
                     verb(count(Verdict::in_part), "holds in part", "hold in part"),
                     verb(count(Verdict::does_not_hold), "does not", "do not"));
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
                        {verdict_text(claim.verdict), style_of(claim.verdict)}}});
  }
  std::cout << '\n' << summary_of(claims) << '\n';
}

}  // namespace hearsay::cli
