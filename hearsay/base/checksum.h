#pragma once

// A checksum of bytes (XXH3, 128 bits) that detects accidents: incomplete writes, damaged disks,
// changed files. It is not cryptographic: bytes with a given checksum can be made on purpose.

#include <cstdint>
#include <string>
#include <string_view>

namespace hearsay {

struct Checksum {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  bool operator==(const Checksum&) const = default;
};

Checksum checksum(std::string_view bytes);

// The checksum as 32 hexadecimal digits, as experiment files write it.
std::string checksum_text(std::string_view bytes);

}  // namespace hearsay
