#include "hearsay/learner/seeded_state.h"

#include <fmt/format.h>

#include "hearsay/base/state.h"
#include "hearsay/learner/spec.h"

namespace hearsay {
namespace {

constexpr std::string_view kSubject = "seeded-learner";

}  // namespace

std::string write_seeded_state(const SeededState& state) {
  StateWriter writer(kSubject);
  writer.add(state.seed);
  writer.add(state.stream);
  writer.add(std::string_view(state.learner));
  return writer.finish();
}

SeededState read_seeded_state(std::string_view bytes) {
  SeededState state;
  if (!bytes.starts_with(fmt::format("hearsay {}\n", kSubject))) {
    const StateReader checked(bytes, kLearnerState);
    state.learner = bytes;
    return state;
  }
  StateReader reader(bytes, kSubject);
  state.seed = reader.number();
  state.stream = reader.number();
  state.learner = reader.text();
  reader.finish();
  return state;
}

}  // namespace hearsay
