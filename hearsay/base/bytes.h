#pragma once

// Reads and writes files. A path that cannot be read or written throws Error; a failure of the
// machine (disk full, input/output error) throws std::system_error.

#include <cstdio>
#include <istream>
#include <memory>
#include <string>
#include <string_view>

namespace hearsay {

// Returns the bytes of a regular file.
std::string read_file(const std::string& path);

// A stream of the bytes of a file, a device or a pipe, for input that need not fit into memory. A
// failure to read is thrown by the operation that reads, so that it is not taken for the end.
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

// Writes a file that appears under its name either complete or not at all. The bytes are written to
// a temporary file in the same directory, which commit() renames. Without commit(), the destructor
// deletes the temporary file and a previous file of that name stays unchanged.
class NewFile {
 public:
  explicit NewFile(const std::string& path);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  std::string path_;
  std::string temporary_;
  std::FILE* stream_ = nullptr;
};

}  // namespace hearsay
