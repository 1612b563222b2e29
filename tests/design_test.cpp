// docs/design.md against the code that it describes.

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace hearsay {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

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
      section(text_of(root / "docs" / "design.md"), "One experiment, from file to report");
  ASSERT_NE(path, "");
  std::size_t types = 0;
  for (const char* module : {"experiment", "play", "work", "runner", "report"}) {
    for (const auto& file : fs::directory_iterator(root / "hearsay" / module)) {
      if (file.path().extension() == ".h") {
        for (const std::string& type : types_of(text_of(file.path()))) {
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

}  // namespace
}  // namespace hearsay
