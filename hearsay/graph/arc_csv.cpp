// CSV files: the header played,seen,weight, then one arc per line, with the numbers of the arms; or
// the header played_name,seen_name,weight and the names of the arms.

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/csv.h"
#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/graph/formats.h"
#include "hearsay/graph/storage.h"

namespace hearsay::formats {
namespace {

constexpr std::string_view kHeader = "played,seen,weight";
constexpr std::string_view kNamedHeader = "played_name,seen_name,weight";
constexpr std::size_t kLongestNamedLine = std::size_t{1} << 16U;

Arm read_arm(const LineReader& lines, std::string_view word, std::size_t most,
             const GraphReadOptions& options) {
  Arm arm = 0;
  if (!read_number(word, arm)) {
    lines.fail(fmt::format("{}; names need the header {}",
                           wrong_arm_message(in_quotes(word), most, options), kNamedHeader));
  }
  if (arm >= most) {
    lines.fail(wrong_arm_message(in_quotes(word), most, options));
  }
  return arm;
}

// Throws Error if the number of an arm is also the name of another arm.
void check_numbers_are_unambiguous(const std::string& name, const GraphReadOptions& options) {
  for (std::size_t arm = 0; arm < options.names.size(); ++arm) {
    const std::string& arm_name = options.names[arm];
    std::size_t number = 0;
    if (read_number(std::string_view(arm_name), number) && arm_name == fmt::format("{}", number) &&
        number < options.names.size() && number != arm) {
      throw Error(name, fmt::format("has numbers of arms, but {} is also the name of arm "
                                    "{}, expected names and the header {}",
                                    number, arm, kNamedHeader));
    }
  }
}

Graph parse_numbers(std::string_view bytes, const std::string& name,
                    const GraphReadOptions& options) {
  check_numbers_are_unambiguous(name, options);
  const std::size_t most = most_arms(bytes.size(), options);
  const auto scan = [&](auto visit) {
    LineReader lines(bytes, name);
    lines.next();  // the header
    while (lines.next()) {
      if (std::ranges::count(lines.line(), ',') != 2) {
        lines.fail(fmt::format("{}, expected {}", in_quotes(lines.line()), kHeader));
      }
      std::string_view rest = lines.line();
      Arc arc;
      arc.played = read_arm(lines, take_field(rest, ','), most, options);
      arc.seen = read_arm(lines, take_field(rest, ','), most, options);
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
      name, [&] { return graph_of_arcs(arms_of_list(arms, name, options), std::move(arcs)); },
      scan);
}

// Finds arms by their names: among those that the caller knows or, if it knows none, among the
// names of the file, in the order in which they first appear.
class NamesInFile {
 public:
  explicit NamesInFile(std::span<const std::string> known) : accepts_new_names_(known.empty()) {
    for (const std::string& name : known) {
      add(name);
    }
  }

  Arm find(const CsvReader& reader, std::size_t field) {
    const std::string_view name = reader.field(field);
    if (const auto found = arms_.find(name); found != arms_.end()) {
      return found->second;
    }
    if (!accepts_new_names_) {
      reader.fail(field, fmt::format("there is no arm {}, {}", in_quotes(name),
                                     expected_near(name, names_, "the name of an arm")));
    }
    if (name.empty() || !is_utf8(name) || has_control_characters(name)) {
      reader.fail(field, fmt::format("the arm is {}, expected a name in UTF-8 without control "
                                     "characters",
                                     in_quotes(name)));
    }
    return add(name);
  }

  std::vector<std::string>& list() { return names_; }

 private:
  Arm add(std::string_view name) {
    const auto arm = static_cast<Arm>(names_.size());
    names_.emplace_back(name);
    arms_.emplace(name, arm);
    return arm;
  }

  bool accepts_new_names_;
  std::vector<std::string> names_;
  std::map<std::string, Arm, std::less<>> arms_;
};

NamedGraph parse_names(std::string_view bytes, const std::string& name,
                       const GraphReadOptions& options) {
  NamesInFile names(options.names);
  const auto scan = [&](auto visit) {
    std::istringstream stream{std::string(bytes)};
    CsvReader records(stream, name, kLongestNamedLine);
    records.next();  // the header
    while (records.next()) {
      if (records.size() != 3) {
        records.fail(records.size(),
                     fmt::format("has {} fields, expected {}", records.size(), kNamedHeader));
      }
      Arc arc{.played = names.find(records, 0), .seen = names.find(records, 1), .weight = 0};
      if (!read_number(records.field(2), arc.weight) || !(arc.weight >= 0 && arc.weight <= 1)) {
        records.fail(2, fmt::format("the weight is {}, expected a number in [0, 1]",
                                    in_quotes(records.field(2))));
      }
      visit(records.line(), arc);
    }
  };

  std::vector<Arc> arcs;
  scan([&](std::size_t, const Arc& arc) { arcs.push_back(arc); });
  const std::size_t arms = names.list().size();
  if (arms == 0) {
    throw Error(name, "has no arcs, so the arms are unknown: expected an arc");
  }
  check_stated_arms(arms, name, options);
  Graph graph = build_or_report_line(
      name, [&] { return graph_of_arcs(arms, std::move(arcs)); }, scan);
  return {std::move(graph), std::move(names.list())};
}

void check_names(std::span<const std::string> names, const std::string& name) {
  for (const std::string& arm_name : names) {
    if (arm_name.empty() || !is_utf8(arm_name) || has_control_characters(arm_name)) {
      throw Error(name, fmt::format("cannot hold the name {}, expected UTF-8 without control "
                                    "characters",
                                    in_quotes(arm_name)));
    }
  }
}

}  // namespace

NamedGraph parse_arc_csv(std::string_view bytes, const std::string& name,
                         const GraphReadOptions& options) {
  bytes = without_byte_order_mark(bytes);
  LineReader lines(bytes, name);
  if (lines.next() && lines.line() == kNamedHeader) {
    return parse_names(bytes, name, options);
  }
  if (lines.line() != kHeader) {
    throw Error(place_of(name, lines.number()),
                fmt::format("{}, expected the header {} or {}", in_quotes(lines.line()), kHeader,
                            kNamedHeader));
  }
  return {parse_numbers(bytes, name, options)};
}

void print_arc_csv(const Graph& graph, std::span<const std::string> names, const std::string& name,
                   const ByteSink& sink) {
  check_names(names, name);
  std::string text = fmt::format("{}\n", names.empty() ? kHeader : kNamedHeader);
  const auto print = [&](Arm played, Arm seen, double weight) {
    if (names.empty()) {
      fmt::format_to(std::back_inserter(text), "{},{},{}\n", played, seen, weight);
    } else {
      fmt::format_to(std::back_inserter(text), "{},{},{}\n", csv_field(names[played]),
                     csv_field(names[seen]), weight);
    }
    flush_if_large(text, sink);
  };
  // The diagonal is written too: it gives the number of arms and the self weight. With names it
  // comes first, so that the arms first appear in their order.
  for (Arm arm = 0; !names.empty() && arm < graph.arms(); ++arm) {
    print(arm, arm, graph.self_weight());
  }
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (names.empty() || seen != played) {
        print(played, seen, weight);
      }
    });
  }
  sink(text);
}

}  // namespace hearsay::formats
