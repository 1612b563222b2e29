#pragma once

// The property that every reader of graph files has for any bytes: it throws Error, or it returns a
// valid graph that reads back to the same weights and names after writing. Anything else is a
// finding.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hearsay/base/error.h"
#include "hearsay/graph/files.h"
#include "hearsay/graph/graph.h"

namespace hearsay::fuzz {

inline bool same_weights(const Graph& a, const Graph& b) {
  if (a.arms() != b.arms() || a.arc_count() != b.arc_count() ||
      a.self_weight() != b.self_weight()) {
    return false;
  }
  bool same = true;
  for (Arm played = 0; played < a.arms(); ++played) {
    a.for_each_seen(played, [&](Arm seen, double weight) {
      same = same && weight > 0 && weight <= 1 && b.weight(played, seen) == weight;
    });
  }
  return same;
}

inline void check_reader(GraphFormat format, const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto [graph, names] = parse_named_graph(format, bytes, "fuzz");
    // Writing large graphs would take most of the time and tests nothing that small ones do not.
    constexpr std::size_t kMostWritten = 4096;
    if (graph.arms() > kMostWritten) {
      return;
    }
    std::string printed;
    print_graph(
        format, graph, "fuzz", [&](std::string_view piece) { printed += piece; }, names);
    // The number of arms is passed because the limit on it depends on the length of the file, and
    // the comments that made the first file long enough are not written.
    const NamedGraph again = parse_named_graph(format, printed, "again", {.arms = graph.arms()});
    require(same_weights(graph, again.graph) && again.names == names);
  } catch (const Error& error) {
    const std::string_view message = error.what();
    // Every message must be a single line that begins with the place. An error from the second
    // reading, whose place is "again", is a finding too.
    require(message.starts_with("fuzz:") && message.find('\n') == std::string_view::npos);
  }
}

}  // namespace hearsay::fuzz
