#pragma once

// The records of a problem's log: JSON lines, of which the first describes the problem and each
// further one is a graph, a decision, its feedback, or the note that a decision was forgotten.
// docs/your-data.md has the format. LogReader (log_reader.h) reads a log in one pass, LogWriter
// (log_writer.h) appends to it, and LoggedRounds (logged_rounds.h) joins decisions with their
// feedback.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hearsay/graph/graph.h"
#include "hearsay/problem/translation.h"

namespace hearsay {

// The version of the format, which the first line names.
inline constexpr std::uint64_t kLogVersion = 1;

// How the first line begins, up to the version.
inline constexpr std::string_view kHeaderBegins = R"({"hearsay_log": )";

// How far the sum of logged probabilities may be from 1: other programs write fewer digits.
inline constexpr double kSumTolerance = 1e-6;

// A graph that later decisions may refer to. The one of the header has the number 1.
struct LoggedGraph {
  std::uint64_t number = 0;
  Graph graph;
};

struct LoggedDecision {
  std::uint64_t id = 0;
  Arm arm = 0;
  double probability = 0;                  // of the arm, at the draw
  std::vector<double> probabilities = {};  // of all arms; may be empty
  Graph graph;                             // of the decision
  std::string time = {};                   // as it was given; may be empty
  std::vector<Arm> available = {};         // in increasing order; empty if all
};

struct LoggedFeedback {
  std::uint64_t id = 0;
  UserFeedback content;
};

// The decision was forgotten: it will have no feedback.
struct LoggedForget {
  std::uint64_t id = 0;
};

using LogRecord = std::variant<LoggedGraph, LoggedDecision, LoggedFeedback, LoggedForget>;

}  // namespace hearsay
