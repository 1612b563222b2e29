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
#include "hearsay/work/unit_file.h"

namespace hearsay {
namespace {

[[noreturn]] void fail(const std::string& path, const char* what, int code) {
  throw std::system_error(code, std::generic_category(), path + ": " + what);
}

}  // namespace

Checkpoint::Checkpoint(std::string directory, const Plan& plan, Curves& curves)
    : plan_(&plan), directory_(std::move(directory)), path_(directory_ + "/units") {
  std::filesystem::create_directories(directory_);
  if (std::filesystem::exists(path_)) {
    UnitFileContents contents = read_unit_file(read_file(path_), path_, plan, curves);
    done_ = std::move(contents.units);
    size_ = contents.whole_bytes;
  } else {
    NewFile file(path_);
    const std::string header = unit_file_header(plan);
    file.write(header);
    file.commit();
    size_ = header.size();
  }
  file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file_ < 0) {
    fail(path_, "could not be written", errno);
  }
  // A file system may have no locks, which is accepted; a lock of another process is not.
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

void Checkpoint::add(std::size_t unit, std::span<const CurvePoint> points) {
  const std::string bytes = unit_file_entry(*plan_, unit, points);
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ::ssize_t put = ::pwrite(file_, bytes.data() + written, bytes.size() - written,
                                   static_cast<::off_t>(size_ + written));
    if (put < 0 && errno == EINTR) {
      continue;
    }
    if (put <= 0) {
      const int code = errno;
      // If this fails too, the torn entry is ignored when the file is read.
      [[maybe_unused]] const int cut = ::ftruncate(file_, static_cast<::off_t>(size_));
      fail(path_, "could not be written", code);
    }
    written += static_cast<std::size_t>(put);
  }
  size_ += bytes.size();
  std::error_code ignored;  // a state that is left behind is ignored, as its unit is done
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
