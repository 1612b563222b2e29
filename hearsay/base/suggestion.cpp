#include "hearsay/base/suggestion.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "hearsay/base/text.h"

namespace hearsay {
namespace {

// The optimal string alignment distance, computed row by row with the last three rows kept.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

// The name in lower case, without hyphens and underscores.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char each : name) {
    if (each >= 'A' && each <= 'Z') {
      letters.push_back(static_cast<char>(each - 'A' + 'a'));
    } else if (each != '-' && each != '_') {
      letters.push_back(each);
    }
  }
  return letters;
}

}  // namespace

std::string_view closest_name(std::string_view word, std::span<const std::string_view> known) {
  const std::size_t most = std::max<std::size_t>(1, word.size() / 3);
  const std::string letters = letters_of(word);
  std::string_view best;
  std::pair fewest(std::numeric_limits<std::size_t>::max(), std::size_t{0});
  for (const std::string_view candidate : known) {
    const std::pair needed(edit_distance(letters, letters_of(candidate)),
                           edit_distance(word, candidate));
    if (needed.first <= most && needed < fewest) {
      fewest = needed;
      best = candidate;
    }
  }
  return best;
}

std::string expected_one_of(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view meant = closest_name(word, known);
  return meant.empty() ? fmt::format("expected one of {}", fmt::join(known, ", "))
                       : fmt::format("expected '{}'", meant);
}

std::string expected_near(std::string_view word, std::span<const std::string> names,
                          std::string_view otherwise) {
  constexpr std::size_t kMostNames = 10'000;
  if (names.size() <= kMostNames) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    if (const std::string_view near = closest_name(word, known); !near.empty()) {
      return fmt::format("expected {}", in_quotes(near));
    }
  }
  return fmt::format("expected {}", otherwise);
}

}  // namespace hearsay
