#pragma once

// The word that was probably meant.

#include <span>
#include <string>
#include <string_view>

namespace hearsay {

// The one of `known` that is nearest to `word` by edits of one letter (insert, delete, change, swap
// two neighbours); empty where none is near enough to be likely.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

// "expected 'horizon'", or where none is near "expected one of a, b, c".
std::string expected_one_of(std::string_view word, std::span<const std::string_view> known);

}  // namespace hearsay
