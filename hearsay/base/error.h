#pragma once

// Wrong data from outside, in one line: where it is, what is wrong, what was expected. It is thrown
// before anything has changed.

#include <stdexcept>
#include <string>
#include <utility>

namespace hearsay {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : Error("", message) {}

  // `place`: a file with its line ("graph.csv:12"), or the name of an option.
  Error(std::string place, std::string message)
      : std::runtime_error(place.empty() ? message : place + ": " + message),
        place_(std::move(place)),
        message_(std::move(message)) {}

  // Empty if the place was not known where the error was thrown.
  const std::string& place() const { return place_; }

  // What is wrong, without the place. what() has both.
  const std::string& message() const { return message_; }

  // The same fault as a reader further out reports it: in `place`, a file, say, that contains the
  // place known so far.
  Error within(std::string place) const { return {std::move(place), what()}; }

 private:
  std::string place_;
  std::string message_;
};

}  // namespace hearsay
