// Any bytes are either refused with Error or read as the units of a checkpoint or a shard, and any
// bytes are either refused as the state of a unit or restored to runs that can be played and saved.
// The first byte chooses which. Every input is tried again with a valid header and checksums, which
// the fuzzer could not guess.

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "fuzz/checkpoint_plan.h"
#include "fuzz/require.h"
#include "fuzz/valid_checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/work/unit_file.h"
#include "hearsay/work/unit_runs.h"

namespace {

// The part that was read must consist of whole entries, and reading it again must give the same
// units.
void read_units(const std::string& bytes) {
  try {
    hearsay::Curves curves(checkpoint_plan());
    const auto contents = hearsay::read_unit_file(bytes, "units", checkpoint_plan(), curves);
    require(contents.whole_bytes <= bytes.size());
    for (const std::size_t unit : contents.units) {
      require(unit < checkpoint_plan().units().size());
    }
    hearsay::Curves again(checkpoint_plan());
    const auto whole = hearsay::read_unit_file(
        std::string_view(bytes).substr(0, contents.whole_bytes), "units", checkpoint_plan(), again);
    require(whole.units == contents.units && whole.whole_bytes == contents.whole_bytes);
  } catch (const hearsay::Error&) {
  }
}

void restore_runs(const std::string& state) {
  try {
    hearsay::UnitRuns runs(checkpoint_plan(), checkpoint_plan().units().front());
    runs.restore(state);
    hearsay::UnitRuns copy(checkpoint_plan(), checkpoint_plan().units().front());
    copy.restore(runs.save());
    require(copy.save() == runs.save());
    runs.advance(checkpoint_plan().experiment().environment.horizon);
    require(runs.is_done());
  } catch (const hearsay::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string bytes(data + 1, data + size);
  if (data[0] % 2 == 0) {
    read_units(bytes);
    const std::string entry = with_valid_checksum(bytes);
    read_units(hearsay::unit_file_header(checkpoint_plan()) +
               fmt::format("{:012}\n", entry.size()) + entry);
  } else {
    restore_runs(bytes);
    restore_runs(with_valid_checksum(bytes));
  }
  return 0;
}
