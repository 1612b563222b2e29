#include "hearsay/base/file_lock.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hearsay/base/bytes.h"

namespace hearsay {
namespace {

Descriptor open_lock_file(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (file.get() < 0) {
    fail_to_write(path, errno);
  }
  return file;
}

// Whether the lock was granted.
bool lock(const Descriptor& file, int operation) {
  while (::flock(file.get(), operation) != 0) {
    if (errno == EWOULDBLOCK) {
      return false;
    }
    if (errno != EINTR) {
      break;  // the file system has no locks
    }
  }
  return true;
}

}  // namespace

FileLock::FileLock(const std::string& path) : path_(path), file_(open_lock_file(path)) {
  lock(file_, LOCK_EX);
}

std::optional<FileLock> FileLock::try_lock(const std::string& path) {
  Descriptor file = open_lock_file(path);
  if (!lock(file, LOCK_EX | LOCK_NB)) {
    return std::nullopt;
  }
  return FileLock(path, std::move(file));
}

bool FileLock::is_in_place() const {
  struct stat held = {};
  struct stat found = {};
  return ::fstat(file_.get(), &held) == 0 && ::stat(path_.c_str(), &found) == 0 &&
         held.st_dev == found.st_dev && held.st_ino == found.st_ino;
}

void FileLock::write_holder() const {
  std::array<char, 256> host = {};
  if (::gethostname(host.data(), host.size() - 1) != 0) {
    host.front() = '\0';
  }
  const std::string text = fmt::format("process {} on {}\n", ::getpid(), host.data());
  // The text of a previous holder is deleted first, so that a full disk leaves no text rather than
  // a wrong one.
  [[maybe_unused]] const bool written =
      ::ftruncate(file_.get(), 0) == 0 &&
      ::pwrite(file_.get(), text.data(), text.size(), 0) == static_cast<::ssize_t>(text.size());
}

std::string FileLock::holder(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 512> text = {};
  struct stat status = {};
  const ::ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  if (size <= 1 || ::fstat(file.get(), &status) != 0) {
    return "another process";
  }
  return fmt::format("{} since {:%Y-%m-%d %H:%M:%S} UTC",
                     std::string_view(text.data(), static_cast<std::size_t>(size) - 1),
                     fmt::gmtime(status.st_mtim.tv_sec));
}

}  // namespace hearsay
