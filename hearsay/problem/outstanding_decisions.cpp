#include "hearsay/problem/outstanding_decisions.h"

#include <fmt/format.h>

namespace hearsay {

std::string not_outstanding_message(std::uint64_t id, std::uint64_t last_dropped) {
  return id > last_dropped
             ? fmt::format("decision {} is not outstanding, expected one that awaits feedback", id)
             : fmt::format(
                   "decision {} is not outstanding: it had its feedback, was forgotten, or was "
                   "dropped when too many decisions, or decisions with different graphs of more "
                   "than {} arms together, awaited feedback",
                   id, kMostOutstandingArms);
}

}  // namespace hearsay
