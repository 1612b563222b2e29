// A library that is preloaded into the program (LD_PRELOAD) and makes the n-th call that changes a
// directory fail. It counts calls that make, open for writing, write, cut, sync, rename or delete a
// file or directory below a path. Environment variables control it:
//
//   HEARSAY_FAULT_PATH  the path
//   HEARSAY_FAULT_AT    n, counted from 1
//   HEARSAY_FAULT_KIND  once: this call fails with ENOSPC or EIO
//                       full: this call and all later ones that need space fail with ENOSPC
//                       kill: the process is killed before the call
//                       torn: the n-th write stores half of its bytes, then the process is killed;
//                             other calls do not count
//   HEARSAY_FAULT_MARK  a file that is made when a fault was injected
//
// It is built without the flags of the project: it has to define functions of the C library.

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

namespace {

constexpr std::size_t kMostDescriptors = 1024;

std::atomic<long> calls = 0;
std::array<std::atomic<bool>, kMostDescriptors> watched;

const char* setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_kind(const char* kind) {
  return std::strcmp(setting("HEARSAY_FAULT_KIND"), kind) == 0;
}

bool is_below(const char* path) {
  const char* base = setting("HEARSAY_FAULT_PATH");
  return *base != '\0' && path != nullptr && std::strncmp(path, base, std::strlen(base)) == 0;
}

bool is_watched(int file) {
  return file >= 0 && static_cast<std::size_t>(file) < kMostDescriptors &&
         watched[static_cast<std::size_t>(file)];
}

template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void leave_mark() {
  const int file = real<int(const char*, int, ...)>("open")(setting("HEARSAY_FAULT_MARK"),
                                                            O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  real<int(int)>("close")(file);
}

enum class Fault { none, error, torn };

// The fault of this call. Does not return if the process is to be killed.
Fault next_call(bool needs_space, bool is_write) {
  static const long at = std::atol(setting("HEARSAY_FAULT_AT"));
  if (is_kind("torn") && !is_write) {
    return Fault::none;
  }
  const long call = ++calls;
  if (at == 0 || call < at || (call > at && !(is_kind("full") && needs_space))) {
    return Fault::none;
  }
  if (call == at) {
    leave_mark();
  }
  if (is_kind("kill")) {
    ::raise(SIGKILL);
  }
  if (is_kind("torn")) {
    return Fault::torn;
  }
  if (is_kind("full") && !needs_space) {
    return Fault::none;
  }
  errno = needs_space ? ENOSPC : EIO;
  return Fault::error;
}

bool fails(bool needs_space) {
  return next_call(needs_space, false) == Fault::error;
}

int open_file(const char* name, const char* path, int flags, mode_t mode) {
  const bool changes = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0 && is_below(path);
  if (changes && fails((flags & O_CREAT) != 0)) {
    return -1;
  }
  const int file = real<int(const char*, int, ...)>(name)(path, flags, mode);
  if (file >= 0 && static_cast<std::size_t>(file) < kMostDescriptors) {
    watched[static_cast<std::size_t>(file)] = is_below(path);
  }
  return file;
}

template <class... Rest>
ssize_t write_bytes(const char* name, int file, const void* bytes, std::size_t size, Rest... rest) {
  auto* function = real<ssize_t(int, const void*, std::size_t, Rest...)>(name);
  if (is_watched(file)) {
    switch (next_call(true, true)) {
      case Fault::error:
        return -1;
      case Fault::torn:
        function(file, bytes, size / 2, rest...);
        ::raise(SIGKILL);
        break;
      case Fault::none:
        break;
    }
  }
  return function(file, bytes, size, rest...);
}

template <class... Arguments>
int change_path(const char* name, bool needs_space, const char* path, Arguments... rest) {
  if (is_below(path) && fails(needs_space)) {
    return -1;
  }
  return real<int(const char*, Arguments...)>(name)(path, rest...);
}

mode_t mode_argument(int flags, va_list list) {
  return (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_argument(flags, list);
  va_end(list);
  return open_file("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_argument(flags, list);
  va_end(list);
  return open_file("open64", path, flags, mode);
}

int close(int file) {
  if (is_watched(file)) {
    watched[static_cast<std::size_t>(file)] = false;
  }
  return real<int(int)>("close")(file);
}

ssize_t write(int file, const void* bytes, size_t size) {
  return write_bytes("write", file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  return write_bytes("pwrite", file, bytes, size, at);
}
ssize_t pwrite64(int file, const void* bytes, size_t size, off64_t at) {
  return write_bytes("pwrite64", file, bytes, size, at);
}

int fsync(int file) {
  return is_watched(file) && fails(false) ? -1 : real<int(int)>("fsync")(file);
}
int ftruncate(int file, off_t size) noexcept {
  return is_watched(file) && fails(false) ? -1 : real<int(int, off_t)>("ftruncate")(file, size);
}
int ftruncate64(int file, off64_t size) noexcept {
  return is_watched(file) && fails(false) ? -1 : real<int(int, off64_t)>("ftruncate64")(file, size);
}
int fchmod(int file, mode_t mode) noexcept {
  return is_watched(file) && fails(false) ? -1 : real<int(int, mode_t)>("fchmod")(file, mode);
}

int mkdir(const char* path, mode_t mode) noexcept {
  return change_path("mkdir", true, path, mode);
}
int unlink(const char* path) noexcept {
  return change_path("unlink", false, path);
}
int rmdir(const char* path) noexcept {
  return change_path("rmdir", false, path);
}
int remove(const char* path) noexcept {
  return change_path("remove", false, path);
}
int rename(const char* from, const char* to) noexcept {
  if ((is_below(from) || is_below(to)) && fails(false)) {
    return -1;
  }
  return real<int(const char*, const char*)>("rename")(from, to);
}
}
