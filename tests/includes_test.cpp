// Modules depend on each other in one direction only: every #include of a project header must name
// the same module or one of a lower level.

#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/base/bytes.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;

// A module may include modules of a lower level, but not others of its own level. "hearsay" stands
// for files outside the modules (version.h), which all may include.
const std::map<std::string, int> kLevels = {
    {"hearsay", 0},
    {"hearsay/base", 0},
    {"hearsay/simd", 0},
    {"hearsay/random", 1},
    {"hearsay/graph", 2},
    {"hearsay/certificate", 3},
    {"hearsay/learner", 4},
    {"hearsay/environment", 4},
    {"hearsay/experiment", 5},
    {"hearsay/play", 5},
    {"hearsay/work", 6},
    {"hearsay/problem", 6},
    {"hearsay/report", 7},
    {"hearsay/runner", 8},
    {"hearsay/hearsay.h", 9},  // includes the public headers
    {"reproduce", 10},
    {"python/binding", 10},
    {"cli", 11},
    {"cli/mpi", 12},
};

std::string module_of(const std::string& path) {
  return kLevels.contains(path) ? path : fs::path(path).parent_path().string();
}

std::optional<int> level_of(const std::string& path) {
  const auto found = kLevels.find(module_of(path));
  return found == kLevels.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> include_error(const std::string& path, const std::string& included) {
  const auto from = level_of(path);
  const auto to = level_of(included);
  if (!from) {
    return path + " is in no known module: give the module a level in kLevels";
  }
  if (!to) {
    return fmt::format("{} includes \"{}\", expected a path from the root, in a known module", path,
                       included);
  }
  if (module_of(path) != module_of(included) && *to >= *from) {
    return fmt::format("{} includes {}, expected a header of the same module or of a lower level",
                       path, included);
  }
  return std::nullopt;
}

// The path in `#include "path"` or `#include <path>`; the quoting character too.
struct Include {
  char quote = 0;
  std::string path;
};

std::optional<Include> parse_include(std::string line) {
  std::erase(line, ' ');
  constexpr std::string_view kWord = "#include";
  if (!line.starts_with(kWord) || line.size() <= kWord.size()) {
    return std::nullopt;
  }
  const char quote = line[kWord.size()];
  const auto end = line.find(quote == '<' ? '>' : '"', kWord.size() + 1);
  return Include{quote, line.substr(kWord.size() + 1, end - kWord.size() - 1)};
}

// The errors in the includes of one source, one line each. Includes in angle brackets are those of
// other libraries, unless they name a path of this project.
std::vector<std::string> include_errors(const std::string& path, const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto include = parse_include(line);
    if (include && (include->quote == '"' || level_of(include->path))) {
      if (auto error = include_error(path, include->path)) {
        found.push_back(*error);
      }
    }
  }
  return found;
}

// The project headers that a source includes.
std::vector<std::string> includes_of(const std::string& text) {
  std::vector<std::string> paths;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto include = parse_include(line);
    if (include && level_of(include->path)) {
      paths.push_back(include->path);
    }
  }
  return paths;
}

// The headers in a text of cmake/public_headers.cmake.
std::set<std::string> public_headers(const std::string& cmake) {
  std::set<std::string> headers = {"hearsay/version.h"};  // written by CMake
  std::istringstream words(cmake.substr(cmake.find("set(")));
  for (std::string word; words >> word;) {
    if (word.starts_with("hearsay/")) {
      headers.insert(word.substr(0, word.find(')')));
    }
  }
  return headers;
}

TEST(PublicHeaders, IncludeOnlyPublicHeaders) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  const std::set<std::string> headers =
      public_headers(read_file(root / "cmake" / "public_headers.cmake"));
  EXPECT_TRUE(headers.contains("hearsay/hearsay.h"));
  EXPECT_GT(headers.size(), 30);
  for (const std::string& header : headers) {
    if (header == "hearsay/version.h") {
      continue;
    }
    ASSERT_TRUE(fs::exists(root / header)) << header << " is listed as a public header";
    for (const std::string& included : includes_of(read_file(root / header))) {
      EXPECT_TRUE(headers.contains(included)) << header << " includes the internal " << included;
    }
  }
}

// The headers that hearsay.h includes, directly or indirectly.
std::set<std::string> shown_by_main_header(const fs::path& root) {
  std::set<std::string> shown = {"hearsay/hearsay.h"};
  for (std::vector<std::string> to_visit(shown.begin(), shown.end()); !to_visit.empty();) {
    const std::string header = to_visit.back();
    to_visit.pop_back();
    if (header == "hearsay/version.h") {  // written by CMake
      continue;
    }
    for (const std::string& included : includes_of(read_file(root / header))) {
      if (shown.insert(included).second) {
        to_visit.push_back(included);
      }
    }
  }
  return shown;
}

TEST(PublicHeaders, AreShownByTheMainHeaderUnlessFewProgramsNeedThem) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  const std::set<std::string> included_by_name = {
      "hearsay/learner/coming_graph.h",      // for learners of one's own that are informed
      "hearsay/learner/draw.h",              // for learners of one's own that draw
      "hearsay/learner/draw_state.h",        // for the saved state of such learners
      "hearsay/learner/high_probability.h",  // a bound that is kept beside a learner
      "hearsay/learner/seeded_state.h",      // for programs that save a learner with its stream
  };
  std::set<std::string> expected = public_headers(read_file(root / "cmake/public_headers.cmake"));
  for (const std::string& header : included_by_name) {
    EXPECT_EQ(expected.erase(header), 1) << header;
  }
  EXPECT_EQ(shown_by_main_header(root), expected);
}

TEST(Includes, GoOneWay) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  std::size_t files = 0;
  for (const char* directory : {"hearsay", "reproduce", "cli", "python"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / directory)) {
      const auto extension = entry.path().extension();
      if (extension == ".h" || extension == ".cpp") {
        for (const auto& error : include_errors(
                 entry.path().lexically_relative(root).generic_string(), read_file(entry.path()))) {
          ADD_FAILURE() << error;
        }
        ++files;
      }
    }
  }
  EXPECT_GT(files, 0);
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

bool starts_threads(const std::string& text) {
  static const std::regex start(R"(\bstd::(async|jthread|thread)\b(?!::))");
  return std::regex_search(text, start);
}

TEST(Threads, AreFoundWhereTheyAreStarted) {
  for (const char* text : {"std::thread worker(work);", "std::vector<std::thread> workers;",
                           "const std::jthread worker([] {});", "std::async(work)"}) {
    EXPECT_TRUE(starts_threads(text)) << text;
  }
  for (const char* text :
       {"std::thread::hardware_concurrency()", "std::this_thread::yield()", "#include <thread>"}) {
    EXPECT_FALSE(starts_threads(text)) << text;
  }
}

// Finds new code that starts threads and is missing in the list.
TEST(Threads, AreStartedOnlyWhereTheListOfTestsForThreadSanitizerSays) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  const std::string list = read_file(root / "tests" / "threads.cmake");
  std::size_t places = 0;
  for (const char* directory : {"hearsay", "reproduce", "cli"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / directory)) {
      const std::string path = entry.path().lexically_relative(root).generic_string();
      const std::string text = entry.is_regular_file() ? read_file(entry.path()) : "";
      if (starts_threads(text)) {
        EXPECT_TRUE(contains(list, path)) << path << " starts threads: name it in the list, and a "
                                          << "test that runs it on several threads";
        ++places;
      }
    }
  }
  EXPECT_GE(places, 5);
}

TEST(Includes, AForbiddenIncludeIsFound) {
  const auto count = [](const char* path, const char* text) {
    return include_errors(path, text).size();
  };
  EXPECT_EQ(count("hearsay/learner/a.h", "#include \"hearsay/graph/graph.h\"\n#include <vector>\n"),
            0);
  EXPECT_EQ(count("hearsay/learner/a.h", "#include \"hearsay/certificate/b.h\""), 0);
  EXPECT_EQ(count("hearsay/learner/a.cpp", "#include \"hearsay/learner/a.h\""), 0);
  EXPECT_EQ(count("hearsay/random/a.h", "#include \"hearsay/base/error.h\""), 0);
  EXPECT_EQ(count("cli/a.cpp", "#include \"hearsay/hearsay.h\"\n#include \"cli/commands.h\""), 0);
  EXPECT_EQ(count("cli/a.cpp", "#include \"reproduce/paper.h\""), 0);

  // Headers of a higher level, of the same level, and of the same level in angle brackets.
  EXPECT_EQ(count("hearsay/graph/a.h", "\n#include \"hearsay/learner/b.h\""), 1);
  EXPECT_EQ(count("hearsay/learner/a.h", "#include \"hearsay/environment/b.h\""), 1);
  EXPECT_EQ(count("hearsay/environment/a.h", "# include <hearsay/learner/b.h>"), 1);
  // The library must not include the programs or the studies of the paper, and Python must not
  // include the latter.
  EXPECT_EQ(count("hearsay/report/a.h", "#include \"cli/commands.h\""), 1);
  EXPECT_EQ(count("hearsay/report/a.cpp", "#include \"reproduce/claims.h\""), 1);
  EXPECT_EQ(count("python/binding/a.cpp", "#include \"reproduce/claims.h\""), 1);
  EXPECT_EQ(count("hearsay/play/a.h", "#include \"hearsay/work/plan.h\""), 1);
  EXPECT_EQ(count("hearsay/graph/a.h", "#include \"hearsay/hearsay.h\""), 1);
  EXPECT_EQ(count("hearsay/base/error.h", "#include \"hearsay/graph/graph.h\""), 1);
  // A path that does not begin at the root, and a module without a level.
  EXPECT_EQ(count("hearsay/graph/a.h", "#include \"graph.h\""), 1);
  EXPECT_EQ(count("hearsay/unknown/a.h", "#include \"hearsay/base/error.h\""), 1);
}

}  // namespace
}  // namespace hearsay
