#pragma once

// The saved state of a learner together with the numbers that name the stream of its draws, as the
// Python package saves it: there a learner draws from a stream of its own.
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

// Reads what write_seeded_state() returned. Bytes of Learner::save() are read too; the numbers are
// then the defaults. Throws Error if the bytes are neither, or damaged.
SeededState read_seeded_state(std::string_view bytes);

}  // namespace hearsay
