// Compares the pages of docs/ with the code that they describe.

#include <filesystem>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "hearsay/base/bytes.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;

// The classes and structs that a header defines, and its variants. Nested types are indented, and a
// declaration alone ends in a semicolon.
std::set<std::string> types_of(const std::string& header) {
  const std::regex definition(
      R"((?:^|\n)(?:(?:class|struct) (\w+)[^;\n]*\{|using (\w+) = std::variant))");
  std::set<std::string> names;
  for (std::sregex_iterator match(header.begin(), header.end(), definition), end; match != end;
       ++match) {
    names.insert((*match)[1].matched ? (*match)[1] : (*match)[2]);
  }
  return names;
}

// The text from a heading up to the next one.
std::string section(const std::string& page, const std::string& heading) {
  const std::size_t begin = page.find("\n## " + heading + "\n");
  return begin == std::string::npos ? ""
                                    : page.substr(begin, page.find("\n## ", begin + 1) - begin);
}

TEST(Design, NamesEveryTypeFromFileToReport) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  const std::string path =
      section(read_file(root / "docs" / "design.md"), "One experiment, from file to report");
  ASSERT_NE(path, "");
  std::size_t types = 0;
  for (const char* module : {"experiment", "play", "work", "runner", "report"}) {
    for (const auto& file : fs::directory_iterator(root / "hearsay" / module)) {
      if (file.path().extension() == ".h") {
        for (const std::string& type : types_of(read_file(file.path()))) {
          EXPECT_TRUE(std::regex_search(path, std::regex("\\b" + type + "s?\\b")))
              << file.path() << " defines " << type;
          ++types;
        }
      }
    }
  }
  EXPECT_GT(types, 30);
}

TEST(Design, FindsTheTypesOfAHeader) {
  EXPECT_EQ(
      types_of("struct A {\n  struct Inner {\n  };\n};\nclass B;\nclass C final : public A {\n"
               "};\nusing D = std::variant<A, B>;\nusing E = int;\n"),
      (std::set<std::string>{"A", "C", "D"}));
}

// All "Suite.Name" of the TEST, TEST_F and TEST_P in a source.
std::set<std::string> tests_of(const std::string& source) {
  const std::regex definition(R"(\nTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\))");
  std::set<std::string> names;
  for (std::sregex_iterator match(source.begin(), source.end(), definition), end; match != end;
       ++match) {
    names.insert((*match)[1].str() + "." + (*match)[2].str());
  }
  return names;
}

// A test that is renamed must be renamed in the pages, too.
TEST(Pages, NameOnlyTestsThatExist) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  std::set<std::string> tests;
  for (const auto& file : fs::recursive_directory_iterator(root / "tests")) {
    if (file.path().extension() == ".cpp") {
      tests.merge(tests_of(read_file(file.path())));
    }
  }
  const std::regex mention(R"(\b([A-Z]\w+)\.[A-Z]\w+)");
  std::size_t mentions = 0;
  for (const auto& file : fs::directory_iterator(root / "docs")) {
    if (file.path().extension() != ".md") {
      continue;
    }
    const std::string page = read_file(file.path());
    for (std::sregex_iterator match(page.begin(), page.end(), mention), end; match != end;
         ++match) {
      // FILE.PID and the like are not names of tests.
      if (std::regex_search((*match)[1].str(), std::regex("[a-z]"))) {
        EXPECT_TRUE(tests.contains(match->str())) << file.path() << " names " << match->str();
        ++mentions;
      }
    }
  }
  EXPECT_GT(mentions, 50);
}

// The prose of a page: without blocks and spans of code, and without the targets of links.
std::string prose_of(const std::string& page) {
  static const std::regex blocks(R"(```[\s\S]*?```|\n(?:    .*\n)+)");
  static const std::regex spans(R"(`[^`]*`|\]\([^)]*\)|https?://\S+)");
  return std::regex_replace(std::regex_replace(page, blocks, "\n\n"), spans, "");
}

// Such as "2,000". Years are an exception.
TEST(Pages, WriteWholeNumbersWithTheirDigitsInGroups) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  const std::regex number(R"((?:^|[\s(|±-])([1-9]\d{3,})(?![\d\w]))");
  std::size_t grouped = 0;
  const auto check = [&](const fs::path& path) {
    const std::string prose = prose_of(read_file(path));
    for (std::sregex_iterator match(prose.begin(), prose.end(), number), end; match != end;
         ++match) {
      const std::string digits = (*match)[1];
      EXPECT_TRUE(digits.size() == 4 && (digits.starts_with("19") || digits.starts_with("20")))
          << path << " has " << digits;
    }
    const std::regex groups(R"(\d,\d{3}\b)");
    grouped += static_cast<std::size_t>(
        std::distance(std::sregex_iterator(prose.begin(), prose.end(), groups), {}));
  };
  check(root / "README.md");
  check(root / "CONTRIBUTING.md");
  for (const auto& file : fs::directory_iterator(root / "docs")) {
    // The reference has values as they are typed.
    if (file.path().extension() == ".md" && file.path().filename() != "reference.md") {
      check(file.path());
    }
  }
  EXPECT_GT(grouped, 100U);
}

}  // namespace
}  // namespace hearsay
