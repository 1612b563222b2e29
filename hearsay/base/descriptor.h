#pragma once

// An open file descriptor, which the destructor closes.

#include <utility>

#include <unistd.h>

namespace hearsay {

class Descriptor {
 public:
  // -1 means that no file is open.
  explicit Descriptor(int value = -1) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }
  ~Descriptor() {
    if (value_ >= 0) {
      ::close(value_);
    }
  }

  int get() const { return value_; }

 private:
  int value_;
};

}  // namespace hearsay
