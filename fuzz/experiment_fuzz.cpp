// Any text is either refused with a message of one line that begins with the place, or parsed to an
// experiment that is written and read back to the same text.

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hearsay/base/error.h"
#include "hearsay/experiment/experiment_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  try {
    const hearsay::Experiment experiment = hearsay::parse_experiment(text, "fuzz.toml");
    const std::string written = hearsay::to_toml(experiment);
    require(hearsay::to_toml(hearsay::parse_experiment(written, "again.toml")) == written);
  } catch (const hearsay::Error& error) {
    // An error from the second reading, whose place is "again.toml", is a finding too.
    const std::string_view message = error.what();
    require(message.starts_with("fuzz.toml") && message.find('\n') == std::string_view::npos);
  }
  return 0;
}
