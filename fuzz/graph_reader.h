#pragma once

// What holds for every reader of graph files, whatever the bytes: an Error, or a valid graph that
// is written and read back to the same weights. Anything else is a finding.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

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
  const std::string_view bytes(reinterpret_cast<const char*>(data),
                               size);  // NOLINT: bytes are meant
  try {
    const Graph graph = parse_graph(format, bytes, "fuzz");
    // Large graphs are written as small ones are, only slower: most of the time would go there.
    constexpr std::size_t kMostWritten = 4096;
    if (graph.arms() > kMostWritten) {
      return;
    }
    std::string printed;
    print_graph(format, graph, "fuzz", [&](std::string_view piece) { printed += piece; });
    // The arms are given: a file may have been long enough for them by its comments alone.
    if (!same_weights(graph, parse_graph(format, printed, "again", {.arms = graph.arms()}))) {
      std::abort();
    }
  } catch (const Error& error) {
    const std::string_view message = error.what();
    // An error of the second reading is a finding too; and every one is a single line with a place.
    if (!message.starts_with("fuzz:") || message.find('\n') != std::string_view::npos) {
      std::abort();
    }
  }
}

}  // namespace hearsay::fuzz
