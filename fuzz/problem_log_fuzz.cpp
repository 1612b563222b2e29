// Any bytes are either read as a log, whose rounds have losses in [0, 1] and finite observations,
// or refused with a message of one line that begins with the place.

#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hearsay/base/error.h"
#include "hearsay/problem/log_reader.h"
#include "hearsay/problem/logged_rounds.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream stream(std::string(data, data + size));
  try {
    hearsay::LogReader reader(stream, "fuzz");
    hearsay::LoggedRounds rounds(reader);
    while (const std::optional<hearsay::LoggedRound> round = rounds.next()) {
      require(round->loss >= 0 && round->loss <= 1);
      require(round->arm < reader.names().size());
      for (const auto& [arm, value] : round->observations) {
        require(round->graph.weight(round->arm, arm) > 0 && std::isfinite(value));
      }
    }
    require(reader.is_compressed() || reader.bytes() + reader.ignored_bytes() == size);
  } catch (const hearsay::Error& error) {
    const std::string_view message = error.what();
    require(message.starts_with("fuzz") && message.find('\n') == std::string_view::npos);
  }
  return 0;
}
