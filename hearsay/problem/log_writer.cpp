#include "hearsay/problem/log_writer.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/descriptor.h"
#include "hearsay/base/error.h"
#include "hearsay/base/json.h"
#include "hearsay/problem/problem_file.h"

namespace hearsay {

namespace log_lines {
namespace {

// A text or a number as JSON writes it.
std::string quoted(const std::string& text) {
  return Json(text).dump();
}
std::string number(double value) {
  return Json(value).dump();
}

template <class Items, class Print>
std::string joined(const Items& items, Print&& print) {
  std::string text;
  for (const auto& item : items) {
    text += text.empty() ? "" : ", ";
    text += print(item);
  }
  return text;
}

}  // namespace

std::string header(const ProblemDescription& description) {
  return fmt::format(R"({}{}, "problem": {}}})", kHeaderBegins, kLogVersion, to_json(description));
}

std::string graph(const LoggedGraph& record, const ArmNames& names) {
  std::string arcs;
  for (Arm played = 0; played < record.graph.arms(); ++played) {
    record.graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played) {
        arcs += fmt::format("{}[{}, {}, {}]", arcs.empty() ? "" : ", ", quoted(names[played]),
                            quoted(names[seen]), number(weight));
      }
    });
  }
  return fmt::format(R"({{"graph": {}, "arcs": [{}]}})", record.number, arcs);
}

std::string decision(const LoggedDecision& record, std::optional<std::uint64_t> graph_number,
                     const ArmNames& names) {
  std::string line = fmt::format(R"({{"decision": {}, "arm": {}, "probability": {})", record.id,
                                 quoted(names[record.arm]), number(record.probability));
  if (!record.probabilities.empty()) {
    line += fmt::format(R"(, "probabilities": [{}])", joined(record.probabilities, number));
  }
  if (graph_number) {
    line += fmt::format(R"(, "graph": {})", *graph_number);
  }
  if (!record.time.empty()) {
    line += fmt::format(R"(, "time": {})", quoted(record.time));
  }
  if (!record.available.empty()) {
    line += fmt::format(R"(, "available": [{}])",
                        joined(record.available, [&](Arm arm) { return quoted(names[arm]); }));
  }
  return line + "}";
}

std::string feedback(const LoggedFeedback& record, const ArmNames& names) {
  std::string line =
      fmt::format(R"({{"feedback": {}, "outcome": {})", record.id, number(record.content.outcome));
  if (!record.content.readings.empty()) {
    line += fmt::format(R"(, "{}": {{{}}})",
                        record.content.form == ReadingForm::reading ? "readings" : "observations",
                        joined(record.content.readings, [&](const Reading& reading) {
                          return fmt::format("{}: {}", quoted(names[reading.arm]),
                                             reading.value ? number(*reading.value) : "null");
                        }));
  }
  return line + "}";
}

std::string forget(const LoggedForget& record) {
  return fmt::format(R"({{"forget": {}}})", record.id);
}

}  // namespace log_lines

class LogWriter::File {
 public:
  // `read` is the size that the file had when it was read, and `bytes` how much of it stays.
  File(std::string path, int flags, std::uint64_t read, std::uint64_t bytes)
      : path_(std::move(path)), size_(read) {
    file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666));
    if (file_.get() < 0 && errno == EEXIST) {
      throw Error(path_, "exists already, expected the path of a new log");
    }
    if (file_.get() < 0) {
      fail_to_write(path_, errno);
    }
    if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      throw Error(path_,
                  "is being written by another problem, expected a log that only this one writes");
    }
    check_size();  // the process that had the lock before may have written after it was read
    cut_to(bytes);
    size_ = bytes;
  }

  void append(std::string_view line) {
    write_lines(pending_lines_ + std::string(line) + "\n");
    before_last_ = size_ - line.size() - 1;
    pending_lines_.clear();
  }

  void remove_last_line() { cut_later_to(before_last_); }

  void write_later(std::string_view line) { pending_lines_ += std::string(line) + "\n"; }

  void write_pending_lines() {
    write_lines(pending_lines_);
    pending_lines_.clear();
  }

  void write(std::string_view rest) {
    while (!rest.empty()) {
      const ::ssize_t written =
          ::pwrite(file_.get(), rest.data(), rest.size(), static_cast<::off_t>(size_));
      if (written < 0 && errno == EINTR) {
        continue;
      }
      if (written < 0) {
        fail_to_write(path_, errno);
      }
      size_ += static_cast<std::uint64_t>(written);
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }

 private:
  // Writes at once, so that no reader sees half of a line. If that fails, the file is as before.
  void write_lines(const std::string& lines) {
    if (is_too_long_) {
      cut_to(size_);
      is_too_long_ = false;
    }
    check_size();
    const std::uint64_t before = size_;
    try {
      write(lines);
    } catch (...) {
      cut_later_to(before);
      throw;
    }
  }

  // Cuts the file, now or, if that fails, before the next line: what is beyond its end would be a
  // torn line in the middle of the log.
  void cut_later_to(std::uint64_t bytes) {
    is_too_long_ = ::ftruncate(file_.get(), static_cast<::off_t>(bytes)) != 0;
    size_ = bytes;
  }

  // A forked process also has the lock, and would write at the same place.
  void check_size() const {
    struct ::stat status = {};
    if (::fstat(file_.get(), &status) != 0) {
      fail_to_write(path_, errno);
    }
    if (static_cast<std::uint64_t>(status.st_size) != size_) {
      throw Error(path_, fmt::format("has {} bytes, expected {}: another process has changed it",
                                     status.st_size, size_));
    }
  }

  void cut_to(std::uint64_t bytes) {
    if (::ftruncate(file_.get(), static_cast<::off_t>(bytes)) != 0) {
      fail_to_write(path_, errno);
    }
  }

  std::string path_;
  Descriptor file_;
  std::uint64_t size_ = 0;
  std::uint64_t before_last_ = 0;  // the size before the last line
  bool is_too_long_ = false;       // the file could not be cut to size_
  std::string pending_lines_;      // to be written before the next line
};

LogWriter::LogWriter(std::unique_ptr<File> file) : file_(std::move(file)) {}
LogWriter::LogWriter(LogWriter&&) noexcept = default;
LogWriter& LogWriter::operator=(LogWriter&&) noexcept = default;
LogWriter::~LogWriter() = default;

LogWriter LogWriter::create(const std::string& path) {
  if (is_without_header(path)) {
    return LogWriter(std::make_unique<File>(path, 0, std::filesystem::file_size(path), 0));
  }
  return LogWriter(std::make_unique<File>(path, O_CREAT | O_EXCL, 0, 0));
}

LogWriter LogWriter::resume(const std::string& path, const LogReader& log) {
  if (log.is_compressed()) {
    throw Error(path, "is compressed, expected a plain file to append to");
  }
  LogWriter writer(std::make_unique<File>(path, 0, log.bytes() + log.ignored_bytes(), log.bytes()));
  if (!log.ends_in_newline()) {
    writer.file_->write("\n");
  }
  return writer;
}

void LogWriter::append(std::string_view line) {
  file_->append(line);
}

void LogWriter::remove_last_line() {
  file_->remove_last_line();
}

void LogWriter::write_later(std::initializer_list<std::string_view> lines) {
  for (const std::string_view line : lines) {
    file_->write_later(line);
  }
}

void LogWriter::write_pending_lines() {
  file_->write_pending_lines();
}

}  // namespace hearsay
