#pragma once

// Suggestions for misspelt names.

#include <span>
#include <string>
#include <string_view>

namespace hearsay {

// The one of `known` that is nearest to `word` by edits of one letter (insert, delete, change, swap
// two neighbours); empty if none is near enough to be likely.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// "expected 'horizon'", or "expected one of a, b, c" if no known name is near.
std::string expected_one_of(std::string_view word, std::span<const std::string_view> known);

}  // namespace hearsay
