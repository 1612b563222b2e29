#pragma once

// A lock between processes (flock) on a file that is used for nothing else. The lock is released by
// the destructor, or when the process ends in any way, so a dead process never blocks others. The
// file is never deleted or renamed: otherwise two processes could lock two files of the same name.
//
// On a file system without locks, every lock is granted.

#include <optional>
#include <string>

#include "hearsay/base/descriptor.h"

namespace hearsay {

class FileLock {
 public:
  // Creates the file if there is none, and waits until the lock is free. Throws Error if the file
  // cannot be written to.
  explicit FileLock(const std::string& path);

  // The same without waiting: returns nullopt if another process or another object has the lock.
  static std::optional<FileLock> try_lock(const std::string& path);

  // Whether the file that is locked is still the one at its path. It is not if someone has deleted
  // or replaced its directory: then another process may have locked the new file.
  bool is_in_place() const;

  // Writes the process and the host into the file. A failure is ignored, because the lock does not
  // depend on it.
  void write_holder() const;

  // Reads what write_holder() wrote, for a message: "process 4711 on node3 since 2026-01-31
  // 12:00:00 UTC". Only meaningful while someone has the lock.
  static std::string holder(const std::string& path);

 private:
  FileLock(std::string path, Descriptor file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  Descriptor file_;
};

}  // namespace hearsay
