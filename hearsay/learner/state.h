#pragma once

// The bytes of a saved learner: a mark, a version, fields in order, a checksum. Numbers are little
// endian; doubles are kept to the bit. A reader hands out no more than is there.

#include <cstdint>
#include <string>
#include <string_view>

#include "hearsay/learner/spec.h"

namespace hearsay {

class StateWriter {
 public:
  StateWriter();
  explicit StateWriter(std::string bytes);  // goes on after these

  void add(std::uint64_t value);
  void add(double value);
  void add(std::string_view text);

  // Closes the state; add nothing after it.
  std::string finish();

 private:
  std::string bytes_;
};

class StateReader {
 public:
  // Throws Error where the mark, the version or the checksum is not ours. `state` outlives the
  // reader.
  explicit StateReader(std::string_view state);

  // Each throws Error where the bytes end early.
  std::uint64_t number();
  double real();
  std::string text();

  // A count of things of at least `bytes_each` that follow: refused where that many cannot be
  // there.
  std::size_t count(std::size_t bytes_each);
  void require_room(std::uint64_t things, std::size_t bytes_each) const;

  // Throws Error where anything is left.
  void finish() const;

 private:
  std::string_view take(std::size_t bytes);

  std::string_view rest_;
};

// `state` with its last bytes made the checksum of the rest: for tests of what lies behind it.
std::string with_right_checksum(std::string state);

void write_spec(StateWriter& writer, const LearnerSpec& spec);
LearnerSpec read_spec(StateReader& reader);

}  // namespace hearsay
