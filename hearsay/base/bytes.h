#pragma once

// Reads and writes whole files. A path that cannot be read or written throws Error; a failure of
// the machine (disk full, input/output error) throws std::system_error.

#include <cstdio>
#include <string>
#include <string_view>

namespace hearsay {

// Returns the bytes of a regular file.
std::string read_file(const std::string& path);

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
