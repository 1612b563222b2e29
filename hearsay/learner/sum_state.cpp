#include "hearsay/learner/sum_state.h"

#include <cmath>

#include <fmt/format.h>

#include "hearsay/learner/weights.h"

namespace hearsay {

void write(StateWriter& writer, const CompensatedSum& sum) {
  writer.add(sum.rounded());
  writer.add(sum.error());
}

double finite(StateReader& reader) {
  const double value = reader.real();
  if (!(std::abs(value) < kLargestSum)) {
    reader.fail(fmt::format("contains the number {}", value));
  }
  return value;
}

CompensatedSum read_sum(StateReader& reader) {
  const double rounded = finite(reader);
  return {rounded, finite(reader)};
}

}  // namespace hearsay
