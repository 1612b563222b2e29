#include "hearsay/base/bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hearsay/base/descriptor.h"
#include "hearsay/base/error.h"
#include "hearsay/base/interruption.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

std::string reason(int code) {
  return std::generic_category().message(code);
}

constexpr const char* kNotWritten = "could not be written";

// Whether the machine is at fault, and not the path that was given.
bool is_failure_of_machine(int code) {
  return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO || code == EMFILE ||
         code == ENFILE;
}

// Follows symbolic links to the path of the file itself, which need not exist yet.
std::string follow_links(const std::string& path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  std::filesystem::path file = path;
  std::error_code error;
  for (int links = 0; std::filesystem::is_symlink(file, error); ++links) {
    if (links == kMostLinks) {
      throw Error(path, "is a symbolic link that leads in a circle, expected a file");
    }
    file = file.parent_path() / std::filesystem::read_symlink(file);
  }
  return file.string();
}

// Makes the entry of `path` in its directory, which has just been created or renamed, outlast a
// power failure, if the file system can.
void sync_directory_of(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const Descriptor directory(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A directory that one may write to but not read cannot be synchronized, and some file systems
  // cannot synchronize any (EINVAL).
  const bool is_open = directory.get() >= 0;
  if (is_open ? ::fsync(directory.get()) != 0 && errno != EINVAL : is_failure_of_machine(errno)) {
    throw_system_error(path, kNotWritten, errno);
  }
}

constexpr std::size_t kBuffer = std::size_t{1} << 16U;
constexpr std::uint64_t kBytesAtOnce = std::uint64_t{1} << 22U;
static_assert(kBytesAtOnce % kBuffer == 0);

// Starts to write the kBytesAtOnce bytes from `begin` on to the disk, and waits until the same
// number of bytes before them are on the disk. A large file thus reaches the disk while it is being
// written, and the final fsync(), which cannot be interrupted, has little left to do. On systems
// other than Linux, fsync() does all of it.
void start_writeback([[maybe_unused]] int file, [[maybe_unused]] const std::string& path,
                     [[maybe_unused]] std::uint64_t begin) {
#ifdef __linux__
  constexpr unsigned kWait =
      SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  const auto sync_range = [&](std::uint64_t from, unsigned flags) {
    if (::sync_file_range(file, static_cast<::off_t>(from), static_cast<::off_t>(kBytesAtOnce),
                          flags) != 0 &&
        is_failure_of_machine(errno)) {
      throw_system_error(path, kNotWritten, errno);
    }
  };
  sync_range(begin, SYNC_FILE_RANGE_WRITE);
  if (begin > 0) {
    sync_range(begin - kBytesAtOnce, kWait);
  }
#endif
}

// Throws Error unless the path is a regular file. A device or a pipe may have no end, and renaming
// a file onto it would replace it.
void check_regular(const std::string& path, const struct stat& status) {
  if (S_ISDIR(status.st_mode)) {
    throw Error(path, "is a directory, expected a file");
  }
  if (!S_ISREG(status.st_mode)) {
    throw Error(path, "is a device or a pipe, expected a file");
  }
}

int open_to_read(const std::string& path, int further_flags) {
  if (const std::size_t end = path.find('\0'); end != std::string::npos) {
    // The system would take the text before that character for the path.
    throw Error(path.substr(0, end), "is followed by a NUL character, expected the path of a file");
  }
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | further_flags);
  if (opened < 0) {
    throw Error(path, fmt::format("{}, expected a file that can be read", reason(errno)));
  }
  return opened;
}

}  // namespace

std::string read_file(const std::string& path, std::size_t max_bytes) {
  constexpr std::size_t kReadAtOnce = std::size_t{1} << 24U;
  // Without O_NONBLOCK, opening a pipe that nobody writes to would block.
  const int opened = open_to_read(path, O_NONBLOCK);
  const Descriptor file(opened);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) {
    throw_system_error(path, "could not be read", errno);
  }
  check_regular(path, status);
  if (static_cast<std::uint64_t>(status.st_size) > max_bytes) {
    throw Error(path, fmt::format("has {} bytes, expected at most {}", status.st_size, max_bytes));
  }
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ::ssize_t got =
        ::read(file.get(), bytes.data() + filled, std::min(kReadAtOnce, bytes.size() - filled));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      throw_system_error(path, "could not be read", errno);
    }
    if (got == 0) {
      throw Error(path, "became shorter while it was read, expected a file that does not change");
    }
    filled += static_cast<std::size_t>(got);
    note_work(static_cast<std::size_t>(got));
  }
  return bytes;
}

class InputStream::Buffer final : public std::streambuf {
 public:
  // The destructor closes `file`. If `file` is null, the caller owns the descriptor.
  Buffer(int descriptor, std::unique_ptr<Descriptor> file, std::string name)
      : descriptor_(descriptor), file_(std::move(file)), name_(std::move(name)) {}

 private:
  int_type underflow() override {
    ::ssize_t got = 0;
    int code = 0;
    do {
      got = ::read(descriptor_, bytes_.data(), bytes_.size());
      code = got < 0 ? errno : 0;
      // A signal ends the wait for a pipe with EINTR: should_stop() must be asked at once then.
      note_work(got < 0 ? Interruption::kStepsBetween : static_cast<std::size_t>(got));
    } while (code == EINTR);
    if (got < 0) {
      throw_system_error(name_, "could not be read", code);
    }
    setg(bytes_.data(), bytes_.data(), bytes_.data() + got);
    return got == 0 ? traits_type::eof() : traits_type::to_int_type(bytes_.front());
  }

  int descriptor_;
  std::unique_ptr<Descriptor> file_;
  std::string name_;
  std::vector<char> bytes_ = std::vector<char>(std::size_t{1} << 16U);
};

InputStream::InputStream(std::unique_ptr<Buffer> buffer)
    : std::istream(nullptr), buffer_(std::move(buffer)) {
  rdbuf(buffer_.get());
  exceptions(badbit);  // so that exceptions of the buffer reach the caller
}

InputStream::InputStream(int descriptor, const std::string& name)
    : InputStream(std::make_unique<Buffer>(descriptor, nullptr, name)) {}

std::unique_ptr<InputStream::Buffer> InputStream::open(const std::string& path) {
  const int opened = open_to_read(path, 0);
  auto file = std::make_unique<Descriptor>(opened);
  struct stat status = {};
  if (::fstat(opened, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw Error(path, "is a directory, expected a file");
  }
  return std::make_unique<Buffer>(opened, std::move(file), path);
}

InputStream::InputStream(const std::string& path) : InputStream(open(path)) {}

InputStream::~InputStream() = default;

void make_directories(const std::string& path) {
  std::error_code error;
  std::vector<std::string> made;
  for (std::filesystem::path each = std::filesystem::absolute(path).lexically_normal();
       !std::filesystem::exists(each, error) && each.has_relative_path();
       each = each.parent_path()) {
    made.push_back(each.string());
  }
  std::filesystem::create_directories(path, error);
  if (error && is_failure_of_machine(error.value())) {
    throw_system_error(path, "could not be created", error.value());
  }
  if (error || !std::filesystem::is_directory(path, error)) {
    const std::string message =
        fmt::format("could not be created ({}), expected a directory that can be written to",
                    error ? error.message() : "not a directory");
    if (error == std::errc::no_such_file_or_directory) {
      throw MissingDirectory(path, message);
    }
    throw Error(path, message);
  }
  for (const std::string& each : made) {
    sync_directory_of(each);
  }
}

void remove_file(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    throw_system_error(path, "could not be deleted", errno);
  }
}

void throw_system_error(const std::string& path, const char* what, int code) {
  throw std::system_error(code, std::generic_category(), path + ": " + what);
}

void check_permission(const std::string& path) {
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0 && errno != ENOENT) {
    fail_to_write(path, errno);
  }
}

void fail_to_write(const std::string& path, int code) {
  if (is_failure_of_machine(code)) {
    throw_system_error(path, kNotWritten, code);
  }
  const std::string message =
      fmt::format("{}, expected a place that can be written to", reason(code));
  if (code == ENOENT) {
    throw MissingDirectory(path, message);
  }
  throw Error(path, message);
}

// The endings that the first constructor gives, .PID-N.part.
std::string_view without_temporary_ending(std::string_view name) {
  if (!name.ends_with(kTemporaryEnding)) {
    return name;
  }
  const std::string_view rest = name.substr(0, name.size() - kTemporaryEnding.size());
  const std::size_t dot = std::min(rest.rfind('.'), rest.size());
  const std::size_t dash = std::min(rest.find('-', dot), rest.size());
  std::uint64_t process = 0;
  std::uint64_t attempt = 0;
  const bool is_temporary = dash < rest.size() &&
                            read_number(rest.substr(dot + 1, dash - dot - 1), process) &&
                            read_number(rest.substr(dash + 1), attempt);
  return is_temporary ? rest.substr(0, dot) : name;
}

NewFile::NewFile(const std::string& path) : path_(follow_links(path)) {
  check_previous();
  for (int attempt = 0; file_.get() < 0; ++attempt) {
    temporary_ = fmt::format("{}.{}-{}{}", path_, ::getpid(), attempt, kTemporaryEnding);
    file_ = Descriptor(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (file_.get() < 0 && errno != EEXIST) {
      fail_to_write(path, errno);
    }
  }
  keep_mode();
}

NewFile::NewFile(std::string path, std::string temporary)
    : path_(std::move(path)), temporary_(std::move(temporary)) {
  check_previous();
  file_ = Descriptor(
      ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (file_.get() < 0) {
    fail_to_write(path_, errno);
  }
  keep_mode();
}

void NewFile::check_previous() {
  struct stat status = {};
  if (::stat(path_.c_str(), &status) == 0) {
    check_regular(path_, status);
    // rename() needs permission to write to the directory only, so it would replace a
    // write-protected file.
    check_permission(path_);
    mode_ = status.st_mode & 07777U;
  }
}

void NewFile::keep_mode() {
  if (mode_ != 0 && ::fchmod(file_.get(), mode_) != 0) {
    const int code = errno;
    ::unlink(temporary_.c_str());
    throw_system_error(path_, kNotWritten, code);
  }
}

NewFile::~NewFile() {
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
  }
}

void NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kBuffer - buffer_.size());
    buffer_ += piece;
    bytes.remove_prefix(piece.size());
    if (buffer_.size() == kBuffer) {
      flush();
    }
  }
}

void NewFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ::ssize_t written = ::write(file_.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      throw_system_error(path_, kNotWritten, errno);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  const std::size_t steps = buffer_.size();
  buffer_.clear();
  if (steps == kBuffer) {
    const auto end = static_cast<std::uint64_t>(::lseek(file_.get(), 0, SEEK_CUR));
    if (end % kBytesAtOnce == 0) {
      start_writeback(file_.get(), path_, end - kBytesAtOnce);
    }
  }
  note_work(steps);
}

void NewFile::sync() {
  flush();
  if (::fsync(file_.get()) != 0) {
    throw_system_error(path_, kNotWritten, errno);
  }
  is_synced_ = true;
}

void NewFile::commit() {
  // The data must be on the disk before the rename, so that a crash leaves either the old file or
  // the complete new one.
  if (!is_synced_) {
    sync();
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw_system_error(path_, kNotWritten, errno);
  }
  temporary_.clear();
  sync_directory_of(path_);
}

void write_file(const std::string& path, std::string_view bytes) {
  NewFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace hearsay
