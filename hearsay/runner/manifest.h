#pragma once

// The list of the files that hearsay wrote into an output directory. A file counts as written by
// hearsay only while its bytes have the checksum that is listed under its name; every other file
// belongs to the user and is never removed or replaced.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

struct ListedFile {
  std::string name;
  std::string checksum;  // as checksum_text() gives it

  // The file belongs to an experiment that was replaced, and must be removed if it still exists.
  bool obsolete = false;

  bool operator==(const ListedFile&) const = default;
};

struct Manifest {
  std::string fingerprint;  // of the experiment; empty if the directory has none
  std::vector<ListedFile> files;

  // Lists a file that is about to be written. A previous entry of that name stays, because the old
  // file is there until the new one is written.
  void add(const std::string& name, const std::string& checksum);

  bool operator==(const Manifest&) const = default;
};

std::string to_text(const Manifest& manifest);

// `name` is what messages call the text. Throws Error if it is not what to_text() gave.
Manifest parse_manifest(std::string_view text, const std::string& name);

}  // namespace hearsay
