#pragma once

// The saved state of a learner together with the numbers that identify the stream of its draws. The
// Python package saves learners in this form, because there each learner has its own stream.
//
//   const SeededState saved = read_seeded_state(bytes);
//   auto learner = restore_learner(saved.learner);
//   Stream draws(saved.seed, Purpose::draw, saved.stream);

#include <cstdint>
#include <string>
#include <string_view>

namespace hearsay {

struct SeededState {
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;
  std::string learner;  // what Learner::save() returned
};

std::string write_seeded_state(const SeededState& state);

// Reads what write_seeded_state() returned. Also reads bytes of Learner::save(); seed and stream
// are then the defaults. Throws Error for other or damaged bytes.
SeededState read_seeded_state(std::string_view bytes);

}  // namespace hearsay
