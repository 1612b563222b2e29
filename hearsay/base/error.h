#pragma once

// Thrown for wrong data from outside, before anything has changed. The message is one line: the
// place, what is wrong, what was expected.

#include <stdexcept>
#include <string>
#include <utility>

namespace hearsay {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : Error("", message) {}

  // `place` is a file with its line ("graph.csv:12") or the name of an option.
  Error(std::string place, std::string message)
      : std::runtime_error(place.empty() ? message : place + ": " + message),
        place_(std::move(place)),
        message_(std::move(message)) {}

  // Empty if the code that threw the error did not know the place.
  const std::string& place() const { return place_; }

  // What is wrong, without the place. what() returns both.
  const std::string& message() const { return message_; }

  // The same error at an outer place, such as the file that contains the place known so far: the
  // new message is what(), so it contains the inner place. Without an outer place it stays as it
  // is.
  Error within(std::string place) const {
    return place.empty() ? *this : Error(std::move(place), what());
  }

 private:
  std::string place_;
  std::string message_;
};

}  // namespace hearsay
