#include "hearsay/problem/awaited.h"

#include <fmt/format.h>

namespace hearsay {

std::string why_not_awaited(std::uint64_t id, std::uint64_t given_up) {
  return id > given_up ? fmt::format("decision {} awaits no feedback, expected one that does", id)
                       : fmt::format(
                             "decision {} awaits no feedback: it was told already, forgotten, or "
                             "given up when decisions with different graphs of more than {} arms "
                             "together awaited feedback",
                             id, kMostAwaitedArms);
}

}  // namespace hearsay
