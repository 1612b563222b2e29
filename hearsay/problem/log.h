#pragma once

// The log of a problem: JSON lines, of which the first describes the problem and each further one
// is a graph, a decision, its feedback, or the note that a decision was forgotten and will have no
// feedback. docs/your-data.md has the format. LogReader reads it in one pass, LogWriter appends to
// it, and LoggedRounds joins decisions with their feedback.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "hearsay/graph/feedback.h"
#include "hearsay/graph/graph.h"
#include "hearsay/problem/description.h"
#include "hearsay/problem/outstanding_decisions.h"
#include "hearsay/problem/translation.h"

namespace hearsay {

class UnzippedStream;

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

// Reads a log record by record. Wrong input throws Error at "name:line"; a stream that cannot be
// read throws std::system_error or what the stream throws. A line has at most 256 MiB.
//
// A last line that does not end in LF and does not parse was torn while it was written: it is
// ignored, unless it is the header, without which there is no log.
class LogReader {
 public:
  // Reads the header. A log that is compressed by gzip is decompressed. `stream` must outlive the
  // reader; `name` is its name in messages.
  LogReader(std::istream& stream, std::string name);
  ~LogReader();
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  const ProblemDescription& problem() const { return problem_; }
  const ArmNames& names() const { return *names_; }

  // Returns nullopt at the end of the log.
  std::optional<LogRecord> next();

  // The place of the record that next() returned last: "log.jsonl:17".
  std::string place() const;

  // The size of a torn last line, known at the end of the log; 0 if there was none.
  std::size_t ignored_bytes() const { return ignored_bytes_; }

  // Where a writer continues the log: the number of bytes read and not ignored, and whether the
  // last of them is an LF. A log that is compressed cannot be continued.
  std::uint64_t bytes() const { return bytes_; }
  bool ends_in_newline() const { return ends_in_newline_; }
  bool is_compressed() const;

 private:
  bool read_record_line();
  void count_line();
  void read_header();
  LogRecord parse(std::string_view line);
  void keep(LoggedGraph& record);
  Graph graph_numbered(std::uint64_t number) const;

  std::unique_ptr<UnzippedStream> stream_;
  std::string name_;
  std::string line_;
  std::uint64_t number_ = 0;  // of line_, from 1
  bool is_last_without_newline_ = false;
  std::size_t ignored_bytes_ = 0;
  std::uint64_t bytes_ = 0;
  bool ends_in_newline_ = true;

  ProblemDescription problem_;
  std::unique_ptr<const ArmNames> names_;
  std::map<std::uint64_t, Graph> graphs_;
  std::size_t graph_entries_ = 0;  // of all graphs together
  std::uint64_t last_decision_ = 0;
};

// Whether the file exists and is empty or has only a part of a log's first line. The first write
// was then cut short, and nothing is lost if the file is overwritten.
bool is_without_header(const std::string& path);

// The lines of a log. The problem must have been checked.
namespace log_lines {
std::string header(const ProblemDescription& description);
std::string graph(const LoggedGraph& record, const ArmNames& names);
// `graph_number` is the number of the decision's graph; nullopt if it is the last one in the log.
std::string decision(const LoggedDecision& record, std::optional<std::uint64_t> graph_number,
                     const ArmNames& names);
std::string feedback(const LoggedFeedback& record, const ArmNames& names);
std::string forget(const LoggedForget& record);
}  // namespace log_lines

// Appends lines to a file. A line is passed to the system before append() returns: a crash of the
// program loses no line, and a crash of the machine at most the last ones. While the file is open,
// no other writer can open it.
class LogWriter {
 public:
  // Creates the file; throws Error if it exists already. A file that has only a part of a header
  // (is_without_header) is overwritten.
  static LogWriter create(const std::string& path);

  // Continues the file that `log` has read to its end. A torn last line is cut off. Throws Error if
  // the log is compressed.
  static LogWriter resume(const std::string& path, const LogReader& log);

  LogWriter(LogWriter&&) noexcept;
  LogWriter& operator=(LogWriter&&) noexcept;
  ~LogWriter();

  // Writes the pending lines, then this line and an LF. If that fails, the file is as before, and
  // Error or std::system_error is thrown.
  void append(std::string_view line);

  // Removes the line that append() wrote last.
  void remove_last_line();

  // Adds pending lines: they could not be written when they were due, and will be written before
  // the next line.
  void write_later(std::initializer_list<std::string_view> lines);

  // Throws as append() does if the pending lines cannot be written, or if another process has
  // changed the file.
  void write_pending_lines();

  const std::string& path() const;

 private:
  class File;

  explicit LogWriter(std::unique_ptr<File> file);

  std::unique_ptr<File> file_;
};

// A decision with its feedback, in the model's terms.
struct LoggedRound {
  std::uint64_t decision = 0;  // its id
  Arm arm = 0;
  double probability = 0;
  std::vector<double> probabilities = {};  // of the draw; may be empty
  std::vector<Arm> available = {};         // in increasing order; empty if all
  Graph graph;      // of the round: without arcs into arms that were not available or not read
  double loss = 0;  // of the arm, in [0, 1]
  std::vector<Observation> observations = {};  // with that of the arm
  bool is_clipped = false;                     // the outcome was out of range
  std::uint64_t beyond_noise_bound = 0;        // observations that the noise bound does not allow
  std::string missing = {};      // the arms without a reading, as a message lists them
  bool missing_are_null = true;  // each of them has a null in the log
};

// How a round with a missing reading is treated: as the problem says; thinned whatever the problem
// says; or readings are ignored in all rounds, and rounds have no observations.
enum class LoggedReadings : std::uint8_t { as_the_problem_says, thinned, ignored };

// The rounds of a log in the order of their feedback.
class LoggedRounds {
 public:
  // At most this many decisions are outstanding at a time, or fewer if they have too many different
  // graphs (kMostOutstandingArms); beyond that the oldest is dropped.
  static constexpr std::size_t kMostOutstanding = std::size_t{1} << 20U;

  // `reader` must outlive the object.
  explicit LoggedRounds(LogReader& reader,
                        LoggedReadings readings = LoggedReadings::as_the_problem_says);

  // Returns nullopt at the end of the log. Throws Error at "name:line" as the reader does, and for
  // feedback that belongs to no decision or cannot be translated.
  std::optional<LoggedRound> next();

  // The number of decisions so far without feedback: forgotten, dropped or still outstanding.
  std::uint64_t without_feedback() const { return decisions_ - rounds_; }

 private:
  void add(LoggedDecision decision);
  LoggedRound round_of(const LoggedFeedback& feedback);

  LogReader& reader_;
  LoggedReadings readings_;
  Translation translation_;
  OutstandingDecisions<LoggedDecision> outstanding_;
  std::uint64_t decisions_ = 0;
  std::uint64_t rounds_ = 0;
};

}  // namespace hearsay
