// Any bytes either restore to a learner that saves, plays and learns, or are refused with Error. So
// that the fuzzer gets past the checksum, it is set right before the bytes are read a second time.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "hearsay/base/checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/base/little_endian.h"
#include "hearsay/learner/catalogue.h"

namespace {

// `state` with its last bytes replaced by the checksum of the others.
std::string with_right_checksum(std::string state) {
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
  restore_and_play(with_right_checksum(bytes));
  return 0;
}
