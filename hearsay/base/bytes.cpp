#include "hearsay/base/bytes.h"

#include <cerrno>
#include <streambuf>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hearsay/base/error.h"

namespace hearsay {
namespace {

std::string reason(int code) {
  return std::generic_category().message(code);
}

[[noreturn]] void fail(const std::string& path, const char* what, int code) {
  throw std::system_error(code, std::generic_category(), path + ": " + what);
}

class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  ~Descriptor() { ::close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return value_; }

 private:
  int value_;
};

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

}  // namespace

std::string read_file(const std::string& path) {
  // Without O_NONBLOCK, opening a pipe that nobody writes to would block.
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0) {
    throw Error(path, fmt::format("{}, expected a file that can be read", reason(errno)));
  }
  const Descriptor file(opened);
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) {
    fail(path, "could not be read", errno);
  }
  check_regular(path, status);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ::ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail(path, "could not be read", errno);
    }
    if (got == 0) {
      throw Error(path, "became shorter while it was read, expected a file that does not change");
    }
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

class InputStream::Buffer final : public std::streambuf {
 public:
  // `file` is closed by the destructor; none: the caller owns the descriptor.
  Buffer(int descriptor, std::unique_ptr<Descriptor> file, std::string name)
      : descriptor_(descriptor), file_(std::move(file)), name_(std::move(name)) {}

 private:
  int_type underflow() override {
    ::ssize_t got = 0;
    do {
      got = ::read(descriptor_, bytes_.data(), bytes_.size());
    } while (got < 0 && errno == EINTR);
    if (got < 0) {
      hearsay::fail(name_, "could not be read", errno);
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
  exceptions(badbit);  // an exception of the buffer is then passed on
}

InputStream::InputStream(int descriptor, const std::string& name)
    : InputStream(std::make_unique<Buffer>(descriptor, nullptr, name)) {}

std::unique_ptr<InputStream::Buffer> InputStream::open(const std::string& path) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) {
    throw Error(path, fmt::format("{}, expected a file that can be read", reason(errno)));
  }
  auto file = std::make_unique<Descriptor>(opened);
  struct stat status = {};
  if (::fstat(opened, &status) == 0 && S_ISDIR(status.st_mode)) {
    throw Error(path, "is a directory, expected a file");
  }
  return std::make_unique<Buffer>(opened, std::move(file), path);
}

InputStream::InputStream(const std::string& path) : InputStream(open(path)) {}

InputStream::~InputStream() = default;

NewFile::NewFile(const std::string& path) : path_(path) {
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) {
    check_regular(path, status);
  }
  int opened = -1;
  for (int attempt = 0; opened < 0; ++attempt) {
    temporary_ = fmt::format("{}.{}-{}.part", path, ::getpid(), attempt);
    opened = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (opened < 0 && errno != EEXIST) {
      const int code = errno;
      if (code == ENOSPC || code == EDQUOT || code == EIO) {
        fail(path, "could not be written", code);
      }
      throw Error(path, fmt::format("{}, expected a place that can be written to", reason(code)));
    }
  }
  stream_ = ::fdopen(opened, "wb");
  if (stream_ == nullptr) {
    const int code = errno;
    ::close(opened);
    ::unlink(temporary_.c_str());
    fail(path_, "could not be written", code);
  }
}

NewFile::~NewFile() {
  if (stream_ != nullptr) {
    (void)std::fclose(stream_);
  }
  if (!temporary_.empty()) {
    ::unlink(temporary_.c_str());
  }
}

void NewFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stream_) != bytes.size()) {
    fail(path_, "could not be written", errno);
  }
}

void NewFile::commit() {
  // The data must be on the disk before the rename, so that a crash leaves either the old file or
  // the complete new one.
  if (std::fflush(stream_) != 0 || ::fsync(::fileno(stream_)) != 0) {
    fail(path_, "could not be written", errno);
  }
  std::FILE* stream = stream_;
  stream_ = nullptr;
  if (std::fclose(stream) != 0 || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    fail(path_, "could not be written", errno);
  }
  temporary_.clear();
}

}  // namespace hearsay
