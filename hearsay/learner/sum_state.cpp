#include "hearsay/learner/sum_state.h"

#include <cmath>

#include <fmt/format.h>

#include "hearsay/error.h"
#include "hearsay/learner/weights.h"

namespace hearsay {

void write(StateWriter& writer, const CompensatedSum& sum) {
  writer.add(sum.rounded());
  writer.add(sum.error());
}

double finite(StateReader& reader) {
  const double value = reader.real();
  if (!(std::abs(value) < kLargestSum)) {
    throw Error("learner state", fmt::format("holds the number {}, expected a finite one", value));
  }
  return value;
}

CompensatedSum read_sum(StateReader& reader) {
  const double rounded = finite(reader);
  return {rounded, finite(reader)};
}

void require(bool holds, const char* what) {
  if (!holds) {
    throw Error("learner state", fmt::format("{}, expected what save() wrote", what));
  }
}

}  // namespace hearsay
