// Any text is either refused with Error or read as a manifest that is written to the same text.
// Every input is tried again with a valid checksum, because the fuzzer could not guess it.

#include <cstdint>
#include <string>

#include "fuzz/require.h"
#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/runner/manifest.h"

namespace {

void read(const std::string& text) {
  try {
    require(hearsay::to_text(hearsay::parse_manifest(text, "manifest")) == text);
  } catch (const hearsay::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  read(text);
  read(text + "checksum " + hearsay::checksum_text(text) + "\n");
  return 0;
}
