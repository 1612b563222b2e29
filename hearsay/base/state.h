#pragma once

// Saved state as bytes: a header that says what it is the state of, a format version, fields in a
// fixed order, a checksum. Numbers are little endian, and doubles are kept to the bit. Learners,
// checkpoints and shards are saved in this form.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearsay {

class StateWriter {
 public:
  // `subject`: what the state is of, one word ("learner").
  explicit StateWriter(std::string_view subject);

  void add(std::uint64_t value);
  void add(double value);
  void add(std::string_view text);

  // Appends the checksum and returns the bytes; nothing may be added afterwards.
  std::string finish();

 private:
  std::string bytes_;
};

class StateReader {
 public:
  // Throws Error if `state` is of another subject, of a newer version or damaged. `state` must
  // outlive the reader.
  StateReader(std::string_view state, std::string_view subject);

  // Each throws Error if fewer bytes are left than it needs.
  std::uint64_t number();
  double real();
  std::string text();

  // Reads the number of elements that follow, each of at least `bytes_each`. Throws Error if fewer
  // bytes are left, so that a damaged count cannot cause a large allocation.
  std::size_t count(std::size_t bytes_each);
  void require_room(std::uint64_t elements, std::size_t bytes_each) const;

  // Throws Error: "learner state: `what`, expected what save() wrote".
  [[noreturn]] void fail(std::string_view what) const;

  // The same if `holds` is false.
  void require(bool holds, std::string_view what) const;

  // Throws Error if anything is left to read.
  void finish() const;

 private:
  std::string_view take(std::size_t bytes);

  std::string place_;  // "learner state"
  std::string_view rest_;
};

}  // namespace hearsay
