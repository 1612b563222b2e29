#pragma once

// Passes a text to the parser of JSON and records how far the parser has read, because the parser
// does not give its position to a handler of its events.

#include <cstddef>
#include <iterator>

namespace hearsay {

class RecordingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  // `read` is set to the end of what has been read. The parser reads one character beyond a number
  // to find its end.
  RecordingIterator(const char* at, const char*& read) : at_(at), read_(&read) {}

  reference operator*() const { return *at_; }
  RecordingIterator& operator++() {
    *read_ = ++at_;
    return *this;
  }
  bool operator==(const RecordingIterator& other) const { return at_ == other.at_; }

 private:
  const char* at_;
  const char** read_;
};

}  // namespace hearsay
