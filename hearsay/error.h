#pragma once

// Wrong data from outside, in one line: where it is, what is wrong, what was expected.
// Thrown at the door, before anything has changed.

#include <stdexcept>
#include <string>

namespace hearsay {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}

  // `place`: a file with its line ("graph.csv:12"), a key, an option.
  Error(const std::string& place, const std::string& message)
      : std::runtime_error(place + ": " + message) {}
};

}  // namespace hearsay
