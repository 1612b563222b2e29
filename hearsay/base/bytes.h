#pragma once

// Reads and writes files. A path that cannot be read or written throws Error; a failure of the
// machine (disk full, input/output error) throws std::system_error.

#include <cstddef>
#include <istream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "hearsay/base/descriptor.h"
#include "hearsay/base/error.h"

namespace hearsay {

// Thrown if a file or a directory cannot be made because the directory that it would be in does
// not exist. The place is the path.
class MissingDirectory : public Error {
 public:
  using Error::Error;
};

// Returns the bytes of a regular file. Throws Error, before it reads, if there are more than
// `max_bytes`.
std::string read_file(const std::string& path,
                      std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

// A stream of the bytes of a file, a device or a pipe, for input that may be larger than the
// memory. If reading fails, the read operation throws, so that a failure is not mistaken for the
// end.
class InputStream : public std::istream {
 public:
  explicit InputStream(const std::string& path);

  // Reads from a descriptor, which stays open. `name` is its name in messages.
  InputStream(int descriptor, const std::string& name);
  ~InputStream() override;
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

 private:
  class Buffer;

  static std::unique_ptr<Buffer> open(const std::string& path);
  explicit InputStream(std::unique_ptr<Buffer> buffer);

  std::unique_ptr<Buffer> buffer_;
};

// Creates a directory and its parents, unless it exists.
void make_directories(const std::string& path);

// Deletes a file, if there is one.
void remove_file(const std::string& path);

// Throws std::system_error: "path: what", with the meaning of the error code.
[[noreturn]] void throw_system_error(const std::string& path, const char* what, int code);

// Throws as fail_to_write() does if the file or directory is there and may not be written to.
void check_permission(const std::string& path);

// Throws for a path that could not be written: std::system_error if the error code means a failure
// of the machine, otherwise Error.
[[noreturn]] void fail_to_write(const std::string& path, int code);

// Writes a file that appears under its name either complete or not at all, also after a power
// failure. The bytes are written to a temporary file, which commit() renames. Without commit(), the
// destructor deletes the temporary file and a previous file of that name stays unchanged.
//
// A file that replaces another gets its permissions.
class NewFile {
 public:
  // The temporary file is in the same directory. If the path is a symbolic link, the file that it
  // leads to is written.
  explicit NewFile(const std::string& path);

  // `temporary` must be on the same file system as `path`. A file of that name is overwritten. If
  // `path` is a symbolic link, the new file replaces the link.
  NewFile(std::string path, std::string temporary);

  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);

  // Returns when all bytes are on the disk, still under the temporary name; nothing may be written
  // afterwards. commit() calls it if the caller did not.
  void sync();
  void commit();

 private:
  void check_previous();
  void keep_mode();
  void flush();

  std::string path_;
  std::string temporary_;
  unsigned mode_ = 0;  // the permissions of the previous file; 0 if there is none
  Descriptor file_;
  std::string buffer_;
  bool is_synced_ = false;
};

// The names of temporary files end like this.
inline constexpr std::string_view kTemporaryEnding = ".part";

// The name that NewFile was given, if this is one of its temporary files in the same directory,
// which a killed process may have left; otherwise the name itself.
std::string_view without_temporary_ending(std::string_view name);

// Writes a whole file, as NewFile does.
void write_file(const std::string& path, std::string_view bytes);

}  // namespace hearsay
