#pragma once

// Reads the log of a problem (log_record.h).

#include <cstddef>
#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "hearsay/graph/graph.h"
#include "hearsay/problem/description.h"
#include "hearsay/problem/log_record.h"

namespace hearsay {

class UnzippedStream;

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

}  // namespace hearsay
