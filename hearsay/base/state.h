#pragma once

// The binary format of saved learners, checkpoints and shards: a header that names the kind of
// state, a format version, fields in a fixed order, a checksum. Numbers are little endian, and
// doubles read back to the same bits.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hearsay {

class StateWriter {
 public:
  // `subject` is the kind of state in one word ("learner").
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
  // Throws Error if `state` has another subject, another format version or is damaged. `state` must
  // outlive the reader.
  StateReader(std::string_view state, std::string_view subject);

  // Each reads the next field and throws Error if too few bytes are left.
  std::uint64_t number();
  double real();
  std::string text();

  // Reads the number of elements that follow, each of at least `bytes_each` bytes. Throws Error if
  // fewer bytes are left, so that a damaged count cannot cause a large allocation.
  std::size_t count(std::size_t bytes_each);

  // Throws Error if fewer than elements * bytes_each bytes are left.
  void require_room(std::uint64_t elements, std::size_t bytes_each) const;

  // Throws Error: "learner state: `what`, expected the bytes that save() wrote".
  [[noreturn]] void fail(std::string_view what) const;

  // Calls fail(what) unless `holds`.
  void require(bool holds, std::string_view what) const;

  // Throws Error if anything is left to read.
  void finish() const;

 private:
  std::string_view take(std::size_t bytes);

  std::string place_;  // "learner state"
  std::string_view rest_;
};

}  // namespace hearsay
