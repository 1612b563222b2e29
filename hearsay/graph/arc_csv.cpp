// CSV files: the header played,seen,weight, then one arc per line.

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/formats.h"
#include "hearsay/graph/storage.h"

namespace hearsay::formats {
namespace {

constexpr std::string_view kHeader = "played,seen,weight";

Arm read_arm(const LineReader& lines, std::string_view word, std::size_t most,
             const GraphReading& reading) {
  Arm arm = 0;
  if (!read_number(word, arm) || arm >= most) {
    lines.fail(wrong_arm_message(in_quotes(word), most, reading));
  }
  return arm;
}

}  // namespace

Graph parse_arc_csv(std::string_view bytes, const std::string& name, const GraphReading& reading) {
  const std::size_t most = most_arms(bytes.size(), reading);
  const auto scan = [&](auto visit) {
    LineReader lines(bytes, name);
    if (!lines.next() || lines.line() != kHeader) {
      throw Error(place_of(name, lines.number()),
                  fmt::format("{}, expected the header {}", in_quotes(lines.line()), kHeader));
    }
    while (lines.next()) {
      if (std::ranges::count(lines.line(), ',') != 2) {
        lines.fail(fmt::format("{}, expected {}", in_quotes(lines.line()), kHeader));
      }
      std::string_view rest = lines.line();
      Arc arc;
      arc.played = read_arm(lines, take_field(rest, ','), most, reading);
      arc.seen = read_arm(lines, take_field(rest, ','), most, reading);
      arc.weight = read_weight(lines, take_field(rest, ','));
      visit(lines.number(), arc);
    }
  };

  std::vector<Arc> arcs;
  std::size_t arms = 0;
  scan([&](std::size_t, const Arc& arc) {
    arcs.push_back(arc);
    arms = std::max<std::size_t>({arms, arc.played + std::size_t{1}, arc.seen + std::size_t{1}});
  });
  return build_or_report_line(
      name, [&] { return graph_of_arcs(arms_of_list(arms, name, reading), std::move(arcs)); },
      scan);
}

void print_arc_csv(const Graph& graph, const ByteSink& sink) {
  std::string text;
  fmt::format_to(std::back_inserter(text), "{}\n", kHeader);
  // The diagonal is written too: it gives the number of arms and the self weight.
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      fmt::format_to(std::back_inserter(text), "{},{},{}\n", played, seen, weight);
      flush_if_large(text, sink);
    });
  }
  sink(text);
}

}  // namespace hearsay::formats
