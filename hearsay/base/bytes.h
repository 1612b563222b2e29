#pragma once

// Whole files in, whole files out. A file that cannot be read or made because of what was asked for
// throws Error; what the machine cannot do (disk full, broken disk) throws std::system_error.

#include <cstdio>
#include <string>
#include <string_view>

namespace hearsay {

// The bytes of a regular file.
std::string read_file(const std::string& path);

// A file that appears under its name complete or not at all: it is written to a temporary one
// beside it, which commit() renames. Without commit() the temporary one goes, and what was there
// stays.
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
