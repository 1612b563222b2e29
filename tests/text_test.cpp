#include "hearsay/base/text.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/program.h"

namespace hearsay {
namespace {

TEST(ControlCharacters, AreThoseOfAsciiAndLatin1AndWhateverIsNotUtf8) {
  for (const char* shown :
       {"", "exp3-wix", "a b~", "\u00a0\u00e9", "\u0391*", "\u20ac", "\U0001f600", "\ufffd"}) {
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
      {std::string("a\0b", 3), "a?b"},
  };
  for (const auto& [text, shown] : cases) {
    EXPECT_TRUE(has_control_characters(text)) << shown;
    EXPECT_EQ(on_one_line(text), shown);
  }
}

TEST(ControlCharacters, OfPathsAreNotInMessages) {
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

}  // namespace
}  // namespace hearsay
