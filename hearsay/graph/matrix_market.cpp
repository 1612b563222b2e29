// Matrix Market files: a first line
//   %%MatrixMarket matrix coordinate|array real|integer|pattern general|symmetric
// then comments, a line of sizes and the entries. With layout "coordinate" an entry is
// "row column [weight]", counted from 1; with layout "array" it is a weight alone, column by column
// (of a symmetric matrix only the lower triangle).

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/graph/formats.h"
#include "hearsay/graph/storage.h"

namespace hearsay::formats {
namespace {

enum class Layout { coordinate, array };
enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric };

struct Header {
  Layout layout = Layout::coordinate;
  Field field = Field::real;
  Symmetry symmetry = Symmetry::general;
  std::size_t arms = 0;
  std::size_t entries = 0;
};

std::string lower(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

void read_banner(LineReader& lines, const std::string& name, Header& header) {
  std::string_view rest;
  if (lines.next()) {
    rest = lines.line();
  }
  if (lines.number() != 1 || lower(take_word(rest)) != "%%matrixmarket" ||
      lower(take_word(rest)) != "matrix") {
    throw Error(name + ":1", "not a Matrix Market file, expected %%MatrixMarket matrix ...");
  }
  const std::string layout = lower(take_word(rest));
  const std::string field = lower(take_word(rest));
  const std::string symmetry = lower(take_word(rest));
  if (layout != "coordinate" && layout != "array") {
    lines.fail(fmt::format("the layout is {}, expected coordinate or array", in_quotes(layout)));
  }
  header.layout = layout == "array" ? Layout::array : Layout::coordinate;
  if (field == "pattern" && header.layout == Layout::coordinate) {
    header.field = Field::pattern;
  } else if (field == "integer") {
    header.field = Field::integer;
  } else if (field != "real") {
    lines.fail(fmt::format("the field is {}, expected real, integer or (coordinate) pattern",
                           in_quotes(field)));
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    lines.fail(
        fmt::format("the symmetry is {}, expected general or symmetric", in_quotes(symmetry)));
  }
  header.symmetry = symmetry == "symmetric" ? Symmetry::symmetric : Symmetry::general;
  if (!take_word(rest).empty()) {
    lines.fail("more than five words, expected the symmetry to be the last word");
  }
}

// Reads the sizes and refuses more entries than a file of that many bytes can have, as each entry
// is a separate line.
void read_sizes(LineReader& lines, std::size_t bytes, const std::string& name,
                const GraphReadOptions& options, Header& header) {
  do {
    if (!lines.next()) {
      lines.fail("the file ends, expected the line of sizes");
    }
  } while (lines.line().starts_with('%'));
  const bool coordinate = header.layout == Layout::coordinate;
  std::string_view rest = lines.line();
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool parsed = read_number(take_word(rest), rows) && read_number(take_word(rest), columns);
  if (coordinate) {
    parsed = parsed && read_number(take_word(rest), header.entries);
  }
  if (!parsed || !take_word(rest).empty()) {
    lines.fail(fmt::format("{}, expected the sizes: rows columns{}", in_quotes(lines.line()),
                           coordinate ? " entries" : ""));
  }
  if (rows != columns) {
    lines.fail(
        fmt::format("{} rows and {} columns, expected as many rows as columns", rows, columns));
  }
  header.arms = rows;
  check_stated_arms(rows, place_of(name, lines.number()), options);
  // The shortest entry is "1 1" (or "1") and an end of line, which the last line may lack.
  const std::size_t most_entries = (bytes + 1) / (coordinate ? 4 : 2);
  if (coordinate) {
    if (rows > most_arms(bytes, options)) {
      lines.fail(
          fmt::format("{} arms in a file of {} bytes, expected at most {} (--arms {} allows them)",
                      rows, bytes, most_arms(bytes, options), rows));
    }
  } else {  // cannot overflow, because the number of rows fits an Arm
    header.entries = header.symmetry == Symmetry::symmetric ? rows * (rows + 1) / 2 : rows * rows;
  }
  if (header.entries > most_entries) {
    lines.fail(fmt::format("{} entries in a file of {} bytes, expected at most {}", header.entries,
                           bytes, most_entries));
  }
}

double read_value(const LineReader& lines, std::string_view word, Field field) {
  std::int64_t whole = 0;
  if (field == Field::integer && !read_number(word, whole)) {
    lines.fail(fmt::format("the weight is {}, expected an integer, 0 or 1", in_quotes(word)));
  }
  return read_weight(lines, word);
}

Arm read_arm(const LineReader& lines, std::string_view word, std::size_t arms) {
  Arm number = 0;
  if (!read_number(word, number) || number < 1 || number > arms) {
    lines.fail(fmt::format("the index is {}, expected 1 to {}", in_quotes(word), arms));
  }
  return number - 1;
}

Arc read_coordinates(const LineReader& lines, const Header& header) {
  std::string_view rest = lines.line();
  Arc arc;
  arc.played = read_arm(lines, take_word(rest), header.arms);
  arc.seen = read_arm(lines, take_word(rest), header.arms);
  arc.weight =
      header.field == Field::pattern ? 1 : read_value(lines, take_word(rest), header.field);
  if (!take_word(rest).empty()) {
    lines.fail(fmt::format("{}, expected row column{}", in_quotes(lines.line()),
                           header.field == Field::pattern ? "" : " weight"));
  }
  return arc;
}

// Moves to the place of the next entry of layout "array": down the columns.
void advance(Arc& place, const Header& header) {
  ++place.played;
  if (place.played == header.arms) {
    ++place.seen;
    place.played = header.symmetry == Symmetry::symmetric ? place.seen : 0;
  }
}

// Calls visit(line, arc) for every entry and, if the file is symmetric, for its transpose.
template <class Visit>
void scan_entries(LineReader lines, const Header& header, Visit visit) {
  Arc next;
  for (std::size_t k = 0; k < header.entries; ++k) {
    if (!lines.next()) {
      lines.fail(fmt::format("the file ends after {} entries, expected {}", k, header.entries));
    }
    Arc arc = next;
    if (header.layout == Layout::coordinate) {
      arc = read_coordinates(lines, header);
    } else {
      std::string_view rest = lines.line();
      arc.weight = read_value(lines, take_word(rest), header.field);
      if (!take_word(rest).empty()) {
        lines.fail(fmt::format("{}, expected one weight per line", in_quotes(lines.line())));
      }
      advance(next, header);
    }
    visit(lines.number(), arc);
    if (header.symmetry == Symmetry::symmetric && arc.played != arc.seen) {
      visit(lines.number(), Arc{arc.seen, arc.played, arc.weight});
    }
  }
  if (lines.next()) {
    lines.fail(fmt::format("{} after the {} entries stated, expected the end of the file",
                           in_quotes(lines.line()), header.entries));
  }
}

}  // namespace

Graph parse_matrix_market(std::string_view bytes, const std::string& name,
                          const GraphReadOptions& options) {
  LineReader lines(bytes, name);
  Header header;
  read_banner(lines, name, header);
  read_sizes(lines, bytes.size(), name, options, header);
  const auto scan = [&](auto visit) { scan_entries(lines, header, visit); };

  if (header.layout == Layout::array) {
    auto weights = filled<double>(header.arms * header.arms);
    scan([&](std::size_t, const Arc& arc) {
      weights[arc.played * header.arms + arc.seen] = arc.weight;
    });
    return build_or_report_line(
        name, [&] { return Graph::dense(header.arms, std::move(weights)); }, scan);
  }
  std::vector<Arc> arcs;
  arcs.reserve(header.symmetry == Symmetry::symmetric ? 2 * header.entries : header.entries);
  scan([&](std::size_t, const Arc& arc) { arcs.push_back(arc); });
  return build_or_report_line(
      name, [&] { return graph_of_arcs(header.arms, std::move(arcs)); }, scan);
}

void print_matrix_market(const Graph& graph, const ByteSink& sink) {
  std::string text;
  const std::size_t arms = graph.arms();
  if (graph.is_dense()) {
    fmt::format_to(std::back_inserter(text), "%%MatrixMarket matrix array real general\n{} {}\n",
                   arms, arms);
    for (Arm seen = 0; seen < arms; ++seen) {
      for (Arm played = 0; played < arms; ++played) {
        fmt::format_to(std::back_inserter(text), "{}\n", graph.weight(played, seen));
        flush_if_large(text, sink);
      }
    }
  } else {
    fmt::format_to(std::back_inserter(text),
                   "%%MatrixMarket matrix coordinate real general\n{} {} {}\n", arms, arms,
                   graph.weights().values().size());
    for (Arm played = 0; played < arms; ++played) {
      graph.for_each_seen(played, [&](Arm seen, double weight) {
        fmt::format_to(std::back_inserter(text), "{} {} {}\n", std::size_t{played} + 1,
                       std::size_t{seen} + 1, weight);
        flush_if_large(text, sink);
      });
    }
  }
  sink(text);
}

}  // namespace hearsay::formats
