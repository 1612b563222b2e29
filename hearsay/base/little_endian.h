#pragma once

// Conversion between unsigned integers and little-endian bytes, on machines of either byte order.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace hearsay {

template <class Bits>
Bits little_endian(const char* bytes) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < sizeof(Bits); ++k) {
    bits |= std::uint64_t{static_cast<unsigned char>(bytes[k])} << (8 * k);
  }
  return static_cast<Bits>(bits);
}

template <class Bits>
void append_little_endian(std::string& text, Bits bits) {
  std::array<char, sizeof(Bits)> bytes{};
  for (std::size_t k = 0; k < sizeof(Bits); ++k) {
    bytes[k] = static_cast<char>((bits >> (8 * k)) & 0xFFU);
  }
  text.append(bytes.data(), bytes.size());
}

}  // namespace hearsay
