// Dependence between the rooms goes one way. Read off the sources: every #include of ours is
// either of the same room or of one further down.

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace hearsay {
namespace {

namespace fs = std::filesystem;

// A room may use the rooms with a smaller number, so those with the same one do not know each
// other. "hearsay" stands for what lies beside the rooms (error.h, version.h), free to all.
const std::map<std::string, int> kFloors = {
    {"hearsay", 0},
    {"hearsay/simd", 0},
    {"hearsay/random", 1},
    {"hearsay/base", 0},
    {"hearsay/graph", 2},
    {"hearsay/certificate", 3},
    {"hearsay/learner", 4},
    {"hearsay/environment", 4},
    {"hearsay/experiment", 5},
    {"hearsay/report", 6},
    {"hearsay/hearsay.h", 7},  // the door: shows the rooms, for those outside
    {"cli", 8},
    {"cli/mpi", 9},
    {"python/binding", 8},
};

std::string room_of(const std::string& path) {
  return kFloors.contains(path) ? path : fs::path(path).parent_path().string();
}

std::optional<int> floor_of(const std::string& path) {
  const auto found = kFloors.find(room_of(path));
  return found == kFloors.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::string> fault(const std::string& path, const std::string& included) {
  const auto from = floor_of(path);
  const auto to = floor_of(included);
  if (!from) {
    return path + " is in no known room: give the room its floor above";
  }
  if (!to) {
    return fmt::format("{} includes \"{}\", expected a path from the root, in a known room", path,
                       included);
  }
  if (room_of(path) != room_of(included) && *to >= *from) {
    return fmt::format("{} includes {}, expected only what is below it", path, included);
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

// What is wrong with the includes of one source, a line each. Angle brackets are for other
// people's headers, except where they spell a path of ours.
std::vector<std::string> faults(const std::string& path, const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto include = parse_include(line);
    if (include && (include->quote == '"' || floor_of(include->path))) {
      if (auto wrong = fault(path, include->path)) {
        found.push_back(*wrong);
      }
    }
  }
  return found;
}

TEST(Includes, GoOneWay) {
  const fs::path root = HEARSAY_SOURCE_DIR;
  std::size_t read = 0;
  for (const char* house : {"hearsay", "cli", "python"}) {
    if (!fs::exists(root / house)) {
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(root / house)) {
      const auto ending = entry.path().extension();
      if (ending == ".h" || ending == ".cpp") {
        std::ostringstream text;
        text << std::ifstream(entry.path()).rdbuf();
        for (const auto& wrong :
             faults(entry.path().lexically_relative(root).generic_string(), text.str())) {
          ADD_FAILURE() << wrong;
        }
        ++read;
      }
    }
  }
  EXPECT_GT(read, 0);
}

TEST(Includes, AWrongOneIsFound) {
  const auto count = [](const char* path, const char* text) { return faults(path, text).size(); };
  EXPECT_EQ(count("hearsay/learner/a.h", "#include \"hearsay/graph/graph.h\"\n#include <vector>\n"),
            0);
  EXPECT_EQ(count("hearsay/learner/a.h", "#include \"hearsay/certificate/b.h\""), 0);
  EXPECT_EQ(count("hearsay/learner/a.cpp", "#include \"hearsay/learner/a.h\""), 0);
  EXPECT_EQ(count("hearsay/random/a.h", "#include \"hearsay/base/error.h\""), 0);
  EXPECT_EQ(count("cli/a.cpp", "#include \"hearsay/hearsay.h\"\n#include \"cli/commands.h\""), 0);

  EXPECT_EQ(count("hearsay/graph/a.h", "\n#include \"hearsay/learner/b.h\""), 1);      // up
  EXPECT_EQ(count("hearsay/learner/a.h", "#include \"hearsay/environment/b.h\""), 1);  // across
  EXPECT_EQ(count("hearsay/environment/a.h", "# include <hearsay/learner/b.h>"),
            1);                                                                // across, in <>
  EXPECT_EQ(count("hearsay/report/a.h", "#include \"cli/commands.h\""), 1);    // out
  EXPECT_EQ(count("hearsay/graph/a.h", "#include \"hearsay/hearsay.h\""), 1);  // by the door
  EXPECT_EQ(count("hearsay/base/error.h", "#include \"hearsay/graph/graph.h\""), 1);
  EXPECT_EQ(count("hearsay/graph/a.h", "#include \"graph.h\""), 1);  // not from the root
  EXPECT_EQ(count("hearsay/cellar/a.h", "#include \"hearsay/base/error.h\""),
            1);  // a room without a floor
}

}  // namespace
}  // namespace hearsay
