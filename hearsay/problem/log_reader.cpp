#include "hearsay/problem/log_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/gzip.h"
#include "hearsay/base/json.h"
#include "hearsay/base/text.h"
#include "hearsay/problem/problem_file.h"

namespace hearsay {
namespace {

constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 53U;  // exact in every JSON reader

// The graphs that decisions can refer to have at most this many arms and arcs together, unless
// there is only one: a graph takes memory for every arm, but may take few bytes in the log.
constexpr std::size_t kMostGraphEntries = std::size_t{1} << 22U;

std::size_t entries_of(const Graph& graph) {
  return graph.arms() + graph.arc_count();
}

const Json& require(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) {
    throw Error(fmt::format("has no \"{}\", expected one", key));
  }
  return *found;
}

std::uint64_t number_at(const Json& object, const char* key) {
  return json_whole(require(object, key), fmt::format("\"{}\"", key), 1, kLargestNumber);
}

Arm arm_at(const Json& value, const std::string& what, const ArmNames& names) {
  const std::string& name = json_text(value, what);
  try {
    return names.find(name);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", what, error.what()));
  }
}

Graph read_arcs(const Json& listed, const ArmNames& names) {
  json_array(listed, "\"arcs\"");
  std::vector<Arc> arcs;
  arcs.reserve(listed.size());
  for (const Json& item : listed) {
    const std::string what = fmt::format("arc {}", arcs.size());
    json_array(item, what, 3);
    arcs.push_back({arm_at(item[0], what + ": the arm played", names),
                    arm_at(item[1], what + ": the arm seen", names),
                    json_number(item[2], what + ": the weight")});
  }
  return graph_of_named_arcs(std::move(arcs), names);
}

double read_probability(const Json& value, const std::string& what) {
  const double probability = json_number(value, what);
  if (!(probability >= 0 && probability <= 1)) {
    throw Error(fmt::format("{} is {}, expected a number in [0, 1]", what, probability));
  }
  return probability;
}

std::vector<double> read_probabilities(const Json& listed, const ArmNames& names) {
  json_array(listed, "\"probabilities\"", names.size());
  std::vector<double> probabilities;
  double sum = 0;
  for (const Json& item : listed) {
    probabilities.push_back(read_probability(item, "a probability"));
    sum += probabilities.back();
  }
  if (std::abs(sum - 1) > kSumTolerance) {
    throw Error(fmt::format("the probabilities sum to {}, expected 1", sum));
  }
  return probabilities;
}

// `played` is the arm of the decision, which must be among them.
std::vector<Arm> read_available(const Json& listed, Arm played, const ArmNames& names) {
  json_array(listed, "\"available\"");
  std::vector<Arm> available;
  for (const Json& item : listed) {
    available.push_back(arm_at(item, "\"available\"", names));
  }
  std::ranges::sort(available);
  if (available.empty() || std::ranges::adjacent_find(available) != available.end()) {
    throw Error("\"available\" is empty or has an arm twice, expected different arms");
  }
  if (!std::ranges::binary_search(available, played)) {
    throw Error("\"available\" does not contain the arm that was played, expected it among them");
  }
  if (available.size() == names.size()) {
    available.clear();  // all: the draw was not restricted
  }
  return available;
}

std::vector<Reading> read_readings(const Json& listed, const std::string& what,
                                   const ArmNames& names) {
  if (!listed.is_object()) {
    throw Error(fmt::format("{} is {}, expected an object", what, listed.type_name()));
  }
  std::vector<Reading> readings;
  for (const auto& item : listed.items()) {
    const Arm arm = arm_at(Json(item.key()), what, names);
    readings.push_back(
        {arm, item.value().is_null()
                  ? std::nullopt
                  : std::optional(json_number(
                        item.value(), fmt::format("the reading of {}", in_quotes(item.key()))))});
  }
  return readings;
}

LoggedFeedback read_feedback(const Json& object, const ArmNames& names) {
  static constexpr std::array<std::string_view, 4> kKeys = {"feedback", "outcome", "readings",
                                                            "observations"};
  check_keys(object, kKeys);
  LoggedFeedback feedback{
      .id = number_at(object, "feedback"),
      .content = {.outcome = json_number(require(object, "outcome"), "\"outcome\"")}};
  if (object.contains("readings") && object.contains("observations")) {
    throw Error("has \"readings\" and \"observations\", expected one of them at most");
  }
  if (object.contains("observations")) {
    feedback.content.form = ReadingForm::observation;
    feedback.content.readings = read_readings(object["observations"], "\"observations\"", names);
  } else if (object.contains("readings")) {
    feedback.content.readings = read_readings(object["readings"], "\"readings\"", names);
  }
  return feedback;
}

// `last` is the id of the previous decision, or 0.
LoggedDecision read_decision(const Json& object, const ArmNames& names, std::uint64_t last,
                             Graph graph) {
  static constexpr std::array<std::string_view, 7> kKeys = {
      "decision", "arm", "probability", "probabilities", "graph", "time", "available"};
  check_keys(object, kKeys);
  LoggedDecision record{
      .id = number_at(object, "decision"),
      .arm = arm_at(require(object, "arm"), "\"arm\"", names),
      .probability = read_probability(require(object, "probability"), "\"probability\""),
      .graph = std::move(graph)};
  if (record.id <= last) {
    throw Error(
        fmt::format("\"decision\" is {}, expected more than {}, the id of the previous decision",
                    record.id, last));
  }
  if (object.contains("probabilities")) {
    record.probabilities = read_probabilities(object["probabilities"], names);
  }
  if (object.contains("time")) {
    record.time = json_text(object["time"], "\"time\"");
  }
  if (object.contains("available")) {
    record.available = read_available(object["available"], record.arm, names);
  }
  return record;
}

LoggedForget read_forget(const Json& object) {
  static constexpr std::array<std::string_view, 1> kKeys = {"forget"};
  check_keys(object, kKeys);
  return {number_at(object, "forget")};
}

// `last` is the number of the previous graph.
LoggedGraph read_graph_record(const Json& object, const ArmNames& names, std::uint64_t last) {
  static constexpr std::array<std::string_view, 2> kKeys = {"graph", "arcs"};
  check_keys(object, kKeys);
  const std::uint64_t number = number_at(object, "graph");
  if (number <= last) {
    throw Error(fmt::format(
        "\"graph\" is {}, expected more than {}, the number of the previous graph", number, last));
  }
  return {number, read_arcs(require(object, "arcs"), names)};
}

// Whether a text without LF is a part of a header as it is written here: torn in the middle.
bool is_part_of_header(const std::string& text) {
  const bool begins = text.size() < kHeaderBegins.size() ? kHeaderBegins.starts_with(text)
                                                         : text.starts_with(kHeaderBegins);
  return begins && !Json::accept(text);
}

}  // namespace

LogReader::LogReader(std::istream& stream, std::string name)
    : stream_(std::make_unique<UnzippedStream>(stream, name)), name_(std::move(name)) {
  read_header();
}

LogReader::~LogReader() = default;

std::string LogReader::place() const {
  return fmt::format("{}:{}", name_, number_);
}

// Reads the next line that is not blank. Returns false at the end.
bool LogReader::read_record_line() {
  while (true) {
    ++number_;
    try {
      if (!read_line(*stream_, line_)) {
        return false;
      }
    } catch (const Error& error) {
      // An error of the decompression has its place already.
      throw error.place().empty() ? error.within(place()) : error;
    }
    is_last_without_newline_ = stream_->eof();
    if (!is_blank(line_)) {
      return true;
    }
    count_line();
  }
}

void LogReader::count_line() {
  bytes_ += line_.size() + (is_last_without_newline_ ? 0 : 1);
  ends_in_newline_ = !is_last_without_newline_;
}

bool LogReader::is_compressed() const {
  return stream_->is_zipped();
}

void LogReader::read_header() {
  if (!read_record_line()) {
    number_ = 1;
    throw Error(place(), "is empty, expected a log, which begins with {\"hearsay_log\": 1, ...}");
  }
  if (is_last_without_newline_ && is_part_of_header(line_)) {
    throw Error(place(),
                "ends within the first line, which was cut short when it was written, "
                "expected a complete one: there are no rounds, create the problem again with "
                "this log");
  }
  try {
    const Json header = parse_object(line_);
    if (!header.contains("hearsay_log")) {
      throw Error(
          "has no \"hearsay_log\", expected a log, which begins with {\"hearsay_log\": 1, "
          "...}");
    }
    const std::uint64_t version =
        json_whole(header["hearsay_log"], "\"hearsay_log\"", 1, kLargestNumber);
    if (version != kLogVersion) {
      throw Error(
          fmt::format("\"hearsay_log\" is {}, expected {}: it was written by a newer hearsay",
                      version, kLogVersion));
    }
    static constexpr std::array<std::string_view, 2> kKeys = {"hearsay_log", "problem"};
    check_keys(header, kKeys);
    const Json& problem = require(header, "problem");
    problem_ = parse_problem_json(problem.dump(), name_);
  } catch (const Error& error) {
    throw Error(place(), error.place() == place() ? error.message() : error.what());
  }
  names_ = std::make_unique<const ArmNames>(problem_.names);
  problem_.graph = graph_in_problem(problem_.graph, names_->size());
  graphs_.emplace(1, *problem_.graph);
  graph_entries_ = entries_of(*problem_.graph);
  count_line();
}

Graph LogReader::graph_numbered(std::uint64_t number) const {
  const auto found = graphs_.find(number);
  if (found == graphs_.end()) {
    throw Error(fmt::format("\"graph\" is {}, expected the number of a recent graph", number));
  }
  return found->second;
}

// Keeps the graph of a record for later decisions, and forgets the oldest graphs if all together
// are too large.
void LogReader::keep(LoggedGraph& record) {
  if (const Graph& before = graphs_.rbegin()->second; has_same_arcs(record.graph, before)) {
    record.graph = before;  // so that decisions share it
  }
  graphs_.emplace(record.number, record.graph);
  graph_entries_ += entries_of(record.graph);
  while (graph_entries_ > kMostGraphEntries && graphs_.size() > 1) {
    graph_entries_ -= entries_of(graphs_.begin()->second);
    graphs_.erase(graphs_.begin());
  }
}

LogRecord LogReader::parse(std::string_view line) {
  const Json object = parse_object(line);
  if (object.contains("decision")) {
    LoggedDecision record =
        read_decision(object, *names_, last_decision_,
                      object.contains("graph") ? graph_numbered(number_at(object, "graph"))
                                               : graphs_.rbegin()->second);
    last_decision_ = record.id;
    return record;
  }
  if (object.contains("feedback")) {
    return read_feedback(object, *names_);
  }
  if (object.contains("forget")) {
    return read_forget(object);
  }
  if (object.contains("graph")) {
    LoggedGraph record = read_graph_record(object, *names_, graphs_.rbegin()->first);
    keep(record);
    return record;
  }
  throw Error("has none of \"decision\", \"feedback\", \"forget\" and \"graph\", expected one");
}

std::optional<LogRecord> LogReader::next() {
  if (ignored_bytes_ > 0 || !read_record_line()) {
    return std::nullopt;
  }
  // A line that is torn is not JSON: its closing brace is missing.
  if (is_last_without_newline_ && !Json::accept(line_)) {
    ignored_bytes_ = line_.size();
    return std::nullopt;
  }
  try {
    LogRecord record = parse(line_);
    count_line();
    return record;
  } catch (const Error& error) {
    throw error.within(place());
  }
}

bool is_without_header(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    return false;
  }
  InputStream stream(path);
  std::string line;
  return !read_line(stream, line) || (stream.eof() && is_part_of_header(line));
}

}  // namespace hearsay
