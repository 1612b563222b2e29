#pragma once

// Suggestions for misspelt names.

#include <span>
#include <string>
#include <string_view>

namespace hearsay {

// Returns the known name with the smallest edit distance to `word` (an edit inserts, deletes or
// changes a letter or swaps two neighbours), or an empty name if none is close enough to be a
// likely misspelling. Case, hyphens and underscores count only between names that are equally near
// without them: "exp3wix" is nearer to "exp3-wix" than to "exp3-ix".
std::string_view closest_name(std::string_view word, std::span<const std::string_view> known);

// "expected 'horizon'", or "expected one of a, b, c" if no known name is close.
std::string expected_one_of(std::string_view word, std::span<const std::string_view> known);

// "expected 'beach'" if one of `names` is close to `word`. Otherwise, or if there are so many names
// that comparing with all would take long, "expected " and `otherwise`.
std::string expected_near(std::string_view word, std::span<const std::string> names,
                          std::string_view otherwise);

}  // namespace hearsay
