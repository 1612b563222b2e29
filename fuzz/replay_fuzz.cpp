// Any log is either replayed with valid probabilities and finite estimates, or refused with Error.
// The first byte chooses the learner.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/replay.h"

namespace {

void check(const hearsay::ReplayedRound& round) {
  double sum = 0;
  for (const double p : round.details.probabilities) {
    require(p >= 0 && p <= 1);
    sum += p;
  }
  // Learners that do not randomize have no probabilities.
  require(round.details.probabilities.empty() || std::abs(sum - 1) < 1e-9);
  for (const double estimate : round.details.estimates) {
    require(std::isfinite(estimate));
  }
  require(std::isfinite(round.details.q) && round.details.q >= 0);
  require(!round.bound || std::isfinite(*round.bound));
  for (const hearsay::RegretBound& bound : round.bounds) {
    require(!bound.value || std::isfinite(*bound.value));
  }
}

// A value for a parameter that has no default.
void set_required(hearsay::LearnerSpec& spec, std::string_view name, std::uint8_t byte) {
  const auto fields = hearsay::LearnerSpec::fields().infos();
  const std::size_t index = *hearsay::field_index(fields, name);
  const hearsay::FieldInfo& info = fields[index];
  if (info.type == hearsay::FieldType::whole) {
    hearsay::LearnerSpec::fields().set(spec, index, std::uint64_t{1} + byte);
  } else {
    hearsay::LearnerSpec::fields().set(spec, index,
                                       std::clamp(byte / 255.0, info.real.low, info.real.high));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const auto catalogue = hearsay::learner_catalogue();
  hearsay::LearnerSpec spec;
  spec.name = catalogue[data[0] % catalogue.size()].name;
  for (const hearsay::LearnerParameter& parameter : hearsay::learner_row(spec.name).parameters) {
    if (parameter.required) {
      set_required(spec, parameter.name, data[0]);
    }
  }
  std::istringstream log(std::string(data + 1, data + size));
  try {
    hearsay::replay(log, "log", spec, check);
  } catch (const hearsay::Error&) {
  }
  return 0;
}
