// Any bytes are either refused with Error or restored to a learner that can save, choose and
// observe. Every input is tried again with a valid checksum, because the fuzzer could not guess it.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/little_endian.h"
#include "hearsay/learner/catalogue.h"

namespace {

// Replaces the last bytes of `state` by the checksum of the bytes before them.
std::string with_valid_checksum(std::string state) {
  constexpr std::size_t kChecksumBytes = 16;
  state.resize(state.size() < kChecksumBytes ? 0 : state.size() - kChecksumBytes);
  const hearsay::Checksum sum = hearsay::checksum(state);
  hearsay::append_little_endian(state, sum.high);
  hearsay::append_little_endian(state, sum.low);
  return state;
}

void restore_and_play(const std::string& state) {
  try {
    const auto learner = hearsay::restore_learner(state);
    if (hearsay::restore_learner(learner->save())->save() != learner->save()) {
      std::abort();
    }
    const hearsay::Decision decision = learner->choose(hearsay::Stream(1, hearsay::Purpose::draw));
    const std::vector<hearsay::Observation> seen = {{decision.arm, 0.5}};
    learner->observe(decision, hearsay::Graph::sparse(learner->arms(), {}), {decision.arm, seen});
  } catch (const hearsay::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(data, data + size);
  restore_and_play(bytes);
  restore_and_play(with_valid_checksum(bytes));
  return 0;
}
