#include "cli/terminal.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "hearsay/base/text.h"

namespace hearsay::cli {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has_colours(int descriptor) {
  return is_terminal(descriptor) && variable("NO_COLOR").empty() && !variable("TERM").empty() &&
         variable("TERM") != "dumb";
}

// 0 if standard output is not a terminal, or is one that does not know its size.
std::size_t columns_of_terminal() {
  ::winsize size = {};
  const bool is_known =
      is_terminal(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0;
  return is_known ? size.ws_col : 0;
}

}  // namespace

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

std::size_t text_width() {
  constexpr std::size_t kNarrowest = 60;
  constexpr std::size_t kWidest = 120;
  constexpr std::size_t kUsual = 80;
  std::size_t columns = columns_of_terminal();
  if (columns == 0 && !read_number(variable("COLUMNS"), columns)) {
    columns = 0;
  }
  return columns == 0 ? kUsual : std::clamp(columns, kNarrowest, kWidest);
}

std::string styled(std::string_view text, Style style, int descriptor) {
  constexpr std::array<int, 4> kCodes = {1, 32, 33, 31};
  return has_colours(descriptor)
             ? fmt::format("\033[{}m{}\033[0m", kCodes.at(static_cast<std::size_t>(style)), text)
             : std::string(text);
}

}  // namespace hearsay::cli
