// Any text is either refused with a message of one line that begins with the place, or is a problem
// that is written and read back to the same text, as TOML and as JSON.

#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hearsay/base/error.h"
#include "hearsay/problem/problem_file.h"

namespace {

void check_written(const hearsay::ProblemDescription& problem) {
  const std::string toml = hearsay::to_toml(problem);
  const std::string json = hearsay::to_json(problem);
  require(hearsay::to_toml(hearsay::parse_problem_json(json, "again.json")) == toml);
  require(hearsay::to_json(hearsay::parse_problem_toml(toml, "again.toml")) == json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const bool is_json = text.starts_with('{');
  try {
    check_written(is_json ? hearsay::parse_problem_json(text, "fuzz")
                          : hearsay::parse_problem_toml(text, "fuzz"));
  } catch (const hearsay::Error& error) {
    // An error from the second reading, whose place is "again", is a finding too.
    const std::string_view message = error.what();
    require(message.starts_with("fuzz") && message.find('\n') == std::string_view::npos);
  }
  return 0;
}
