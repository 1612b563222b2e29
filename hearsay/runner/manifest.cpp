#include "hearsay/runner/manifest.h"

#include <fmt/format.h>

#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"

namespace hearsay {
namespace {

constexpr std::string_view kTitle = "hearsay manifest 1";

}  // namespace

void Manifest::add(const std::string& name, const std::string& checksum) {
  std::erase_if(files, [&](const ListedFile& file) {
    return file.name == name && file.checksum == checksum;
  });
  files.push_back({name, checksum});
}

std::string to_text(const Manifest& manifest) {
  std::string text = fmt::format("{}\nexperiment {}\n", kTitle, manifest.fingerprint);
  for (const ListedFile& file : manifest.files) {
    text +=
        fmt::format("{} {} {}\n", file.obsolete ? "obsolete" : "file", file.checksum, file.name);
  }
  return text + fmt::format("checksum {}\n", checksum_text(text));
}

Manifest parse_manifest(std::string_view text, const std::string& name) {
  Manifest manifest;
  LineReader lines(text, name);
  if (lines.next() && lines.line() == kTitle) {
    while (lines.next()) {
      std::string_view rest = lines.line();
      const std::string_view word = take_word(rest);
      if (word == "experiment") {
        manifest.fingerprint = take_word(rest);
      } else if (word == "file" || word == "obsolete") {
        const std::string checksum(take_word(rest));
        manifest.files.push_back({std::string(take_word(rest)), checksum, word == "obsolete"});
      }
    }
  }
  // This compares the checksum and all that was skipped.
  if (to_text(manifest) != text) {
    throw Error(name,
                "is damaged or of another version, expected the list of the files that hearsay "
                "wrote: choose another directory");
  }
  return manifest;
}

}  // namespace hearsay
