#pragma once

// Whether a stream is a terminal, how wide it is, and the few colours that texts have there. A
// colour only repeats what the words say.

#include <cstddef>
#include <string>
#include <string_view>

namespace hearsay::cli {

enum class Style {
  heading,  // bold
  good,     // green: a claim that holds, the best learner
  caution,  // yellow: a claim that holds in part, a warning
  bad,      // red: a claim that does not hold, an error
};

// `descriptor` is STDOUT_FILENO or STDERR_FILENO.
bool is_terminal(int descriptor);

// How many columns a text on standard output may have: the width of the terminal; without a
// terminal, that of the variable COLUMNS, or 80. At least 60, and at most 120, because longer lines
// are hard to read.
std::size_t text_width();

// The text for this stream. It is unchanged unless the stream is a terminal with colours: NO_COLOR
// must be unset or empty, and TERM set to something other than "dumb".
std::string styled(std::string_view text, Style style, int descriptor);

}  // namespace hearsay::cli
