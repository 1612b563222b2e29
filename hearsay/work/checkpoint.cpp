#include "hearsay/work/checkpoint.h"

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"

namespace hearsay {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int code) {
  throw std::system_error(code, std::generic_category(), path + ": " + what);
}

}  // namespace

Checkpoint::Checkpoint(std::string directory, const Plan& plan, Records& records)
    : plan_(&plan), directory_(std::move(directory)), path_(directory_ + "/units") {
  std::filesystem::create_directories(directory_);
  if (std::filesystem::exists(path_)) {
    UnitFileContents contents = read_unit_file(read_file(path_), path_, plan, records);
    done_ = std::move(contents.units);
    size_ = contents.whole_bytes;
  } else {
    NewFile begun(path_);
    const std::string header = unit_file_header(plan);
    begun.write(header);
    begun.commit();
    size_ = header.size();
  }
  file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) {
    fail(path_, "could not be written", errno);
  }
  // A file system without locks is no reason to refuse; somebody else's lock is.
  if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(file_);
    throw Error(path_, "is in use by another process, expected to be the only one");
  }
  if (::ftruncate(file_, static_cast<::off_t>(size_)) != 0) {
    const int code = errno;
    ::close(file_);
    fail(path_, "could not be written", code);
  }
}

Checkpoint::~Checkpoint() {
  ::close(file_);
}

void Checkpoint::add(std::size_t unit, std::span<const CurvePoint> records) {
  const std::string bytes = unit_file_record(*plan_, unit, records);
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ::ssize_t put = ::pwrite(file_, bytes.data() + written, bytes.size() - written,
                                   static_cast<::off_t>(size_ + written));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      const int code = errno;
      // If this fails too, no harm is done: a torn record is ignored.
      [[maybe_unused]] const int cut = ::ftruncate(file_, static_cast<::off_t>(size_));
      fail(path_, "could not be written", code);
    }
    written += static_cast<std::size_t>(put);
  }
  size_ += bytes.size();
  std::error_code ignored;  // a state left behind is ignored, its unit being done
  std::filesystem::remove(state_path(unit), ignored);
}

std::string Checkpoint::state_path(std::size_t unit) const {
  return fmt::format("{}/unit-{}.state", directory_, unit);
}

std::string Checkpoint::state(std::size_t unit) const {
  const std::string path = state_path(unit);
  return std::filesystem::exists(path) ? read_file(path) : std::string();
}

void Checkpoint::save_state(std::size_t unit, std::string_view state) {
  NewFile file(state_path(unit));
  file.write(state);
  file.commit();
}

void Checkpoint::sync() {
  if (::fsync(file_) != 0) {
    fail(path_, "could not be written", errno);
  }
}

void Checkpoint::remove() {
  std::filesystem::remove_all(directory_);
}

}  // namespace hearsay
