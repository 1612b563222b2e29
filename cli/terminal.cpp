#include "cli/terminal.h"

#include <array>
#include <cstdlib>

#include <fmt/format.h>
#include <unistd.h>

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

}  // namespace

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

std::string styled(std::string_view text, Style style, int descriptor) {
  constexpr std::array<int, 4> kCodes = {1, 32, 33, 31};
  return has_colours(descriptor)
             ? fmt::format("\033[{}m{}\033[0m", kCodes.at(static_cast<std::size_t>(style)), text)
             : std::string(text);
}

}  // namespace hearsay::cli
