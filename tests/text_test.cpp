#include "hearsay/base/text.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace hearsay {
namespace {

// The bytes of a number in the form of UTF-8 with so many bytes, also where that is not the right
// one.
std::string encoded(std::uint32_t code, int bytes) {
  if (bytes == 1) {
    return {static_cast<char>(code)};
  }
  std::string text;
  for (int i = 1; i < bytes; ++i, code >>= 6U) {
    text.insert(text.begin(), static_cast<char>(0x80U | (code & 0x3fU)));
  }
  const std::uint32_t marks = 0xffU << static_cast<unsigned>(8 - bytes);
  return std::string(1, static_cast<char>(marks | code)) + text;
}

TEST(Utf8, IsEveryNumberOfUnicodeInItsShortestForm) {
  for (std::uint32_t code = 0; code < 0x200000; ++code) {
    const int shortest = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    const bool is_character = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    for (int bytes = shortest; bytes <= 4; ++bytes) {
      ASSERT_EQ(is_utf8(encoded(code, bytes)), is_character && bytes == shortest) << code;
    }
    if (shortest > 1) {
      const std::string text = encoded(code, shortest);
      ASSERT_FALSE(is_utf8(text.substr(0, text.size() - 1))) << code;
      ASSERT_FALSE(is_utf8(text.substr(1))) << code;
    }
  }
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("caf\u00e9"));
  EXPECT_FALSE(is_utf8("caf\xe9"));
}

}  // namespace
}  // namespace hearsay
