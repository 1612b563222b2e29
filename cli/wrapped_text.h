#pragma once

// Texts in lines that fit a terminal.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay::cli {

// The number of characters of a text in UTF-8.
std::size_t width_of(std::string_view text);

// The words of the text in lines of at most `width` characters; a longer word has a line of its
// own. At least one line, which may be empty.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// The text in lines that begin at a column and fit text_width(), with `head` to the left of the
// first: "  --threads N   how many threads; the results". A head that is too long has a line of its
// own. Ends with a new line.
std::string with_hanging_indent(std::string_view head, std::string_view text, std::size_t column);

}  // namespace hearsay::cli
