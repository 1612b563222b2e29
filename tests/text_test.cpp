#include "hearsay/base/text.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/program.h"

namespace hearsay {
namespace {

TEST(ControlCharacters, AreThoseOfAsciiAndLatin1AndAllBytesThatAreNotUtf8) {
  for (const char* shown : {"", "exp3-wix", "a b~", "\u00a0\u00e9", "\u0391*", "\u20ac",
                            "\U0001f600", "\ufffd", "\ud7ff", "\U0010ffff"}) {
    EXPECT_FALSE(has_control_characters(shown)) << shown;
    EXPECT_EQ(on_one_line(shown), shown);
  }
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"\x1b[2J", "?[2J"},           // escape
      {"a\nb\tc\x7f", "a?b?c?"},     // line feed, tabulator, delete
      {"\xc2\x9b\x32J", "??2J"},     // U+009B, "control sequence introducer"
      {"\x9b\x32J", "?2J"},          // the same as a byte of Latin-1
      {"\xc0\x9b", "??"},            // escape in an overlong form of two bytes
      {"\xe0\x80\x9b", "???"},       // and of three
      {"\xf0\x80\x80\x9b", "????"},  // and of four
      {"\xe2\x82", "??"},            // a character that is cut off
      {"\xf5\x80\x80\x80", "????"},  // beyond Unicode
      {"\xf4\x90\x80\x80", "????"},  // the first number beyond it
      {"\xed\xa0\x80", "???"},       // U+D800, half of a pair of UTF-16
      {std::string("a\0b", 3), "a?b"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_TRUE(has_control_characters(text)) << shown;
    EXPECT_EQ(on_one_line(text), shown);
  }
}

TEST(InQuotes, ShowsAtMostFortyCharactersWholeAndOnOneLine) {
  EXPECT_EQ(in_quotes(""), "''");
  EXPECT_EQ(in_quotes("Z\u00fcrich, \u65e5\u672c"), "'Z\u00fcrich, \u65e5\u672c'");
  EXPECT_EQ(in_quotes("a\nb\xff"), "'a?b?'");
  std::string forty;
  for (int i = 0; i < 40; ++i) {
    forty += "\u65e5";
  }
  EXPECT_EQ(in_quotes(forty), "'" + forty + "'");
  EXPECT_EQ(in_quotes(forty + "x"), "'" + forty + "'...");
}

TEST(ControlCharacters, AMessageHasNoControlCharactersOfAPath) {
  const testing::ScratchDirectory scratch;
  for (const std::string& name :
       std::vector<std::string>{"a\x1b[2J.toml", "a\xc2\x9b.toml", "a\x9b.toml"}) {
    for (const std::string& command : std::vector<std::string>{"run", "graph info", "alpha"}) {
      std::vector<std::string> arguments = {command, scratch.file(name)};
      if (command == "graph info") {
        arguments = {"graph", "info", scratch.file(name)};
      }
      const testing::ProgramRun run = testing::run_program(arguments);
      EXPECT_EQ(run.exit_code, 2);
      ASSERT_TRUE(run.err.ends_with('\n'));
      EXPECT_FALSE(has_control_characters(run.err.substr(0, run.err.size() - 1))) << run.err;
    }
  }
}

// Encodes a number in UTF-8 with the given number of bytes, even if that is not its shortest form.
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

TEST(Utf8, IsEveryUnicodeNumberInItsShortestForm) {
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
