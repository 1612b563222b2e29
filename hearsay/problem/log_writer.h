#pragma once

// Writes the log of a problem (log_record.h).

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hearsay/problem/description.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/log_record.h"

namespace hearsay {

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

 private:
  class File;

  explicit LogWriter(std::unique_ptr<File> file);

  std::unique_ptr<File> file_;
};

}  // namespace hearsay
