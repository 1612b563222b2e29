// Any bytes are either refused with Error or restored to a learner that can save, choose and
// observe. Every input is tried again with a valid checksum, because the fuzzer could not guess it.

#include <cstdint>
#include <string>
#include <vector>

#include "fuzz/require.h"
#include "fuzz/valid_checksum.h"
#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"

namespace {

void restore_and_play(const std::string& state) {
  try {
    const auto learner = hearsay::restore_learner(state);
    require(hearsay::restore_learner(learner->save())->save() == learner->save());
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
