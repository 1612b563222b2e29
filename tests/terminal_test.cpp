// Output has colours on a terminal that can show them, and nowhere else; texts fit its width.

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): posix_openpt is POSIX
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/program.h"

namespace hearsay {
namespace {

using testing::run_program;
using testing::ScratchDirectory;

// What `hearsay ARGUMENTS...` writes to a pseudo-terminal. `descriptors` are those of standard
// output and standard error that are the terminal; the others are /dev/null. `environment` has all
// environment variables. `columns` is the width of the terminal; 0 if it is not known.
std::string on_terminal(std::vector<std::string> arguments, std::vector<std::string> environment,
                        const std::vector<int>& descriptors = {STDOUT_FILENO, STDERR_FILENO},
                        unsigned short columns = 0) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (terminal < 0 || ::grantpt(terminal) != 0 || ::unlockpt(terminal) != 0) {
    throw std::runtime_error("could not open a pseudo-terminal");
  }
  const ::winsize size = {.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  ::ioctl(terminal, TIOCSWINSZ, &size);
  const std::string name = ::ptsname(terminal);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const bool is_terminal = std::ranges::find(descriptors, descriptor) != descriptors.end();
    posix_spawn_file_actions_addopen(&actions, descriptor, is_terminal ? name.c_str() : "/dev/null",
                                     O_RDWR | O_NOCTTY, 0);
  }
  const auto pointers = [](std::vector<std::string>& words) {
    std::vector<char*> all;
    for (std::string& word : words) {
      all.push_back(word.data());
    }
    all.push_back(nullptr);
    return all;
  };
  arguments.insert(arguments.begin(), HEARSAY_PROGRAM);
  ::pid_t child = 0;
  const int kept_open =
      ::open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);  // until the program has opened it
  const int failed = ::posix_spawn(&child, HEARSAY_PROGRAM, &actions, nullptr,
                                   pointers(arguments).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&actions);
  ::close(kept_open);
  if (failed != 0) {
    throw std::runtime_error("could not run " HEARSAY_PROGRAM);
  }
  std::string text;
  std::array<char, 4096> piece = {};
  // At the end, when no process has the terminal, read() fails.
  for (::ssize_t got = 0; (got = ::read(terminal, piece.data(), piece.size())) > 0;) {
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  ::close(terminal);
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return std::regex_replace(text, std::regex("\r\n"), "\n");
}

// What `hearsay ARGUMENTS...` writes to a pipe if the variable COLUMNS is set so, or unset if it is
// empty.
std::string on_pipe(const std::vector<std::string>& arguments, const std::string& columns = "") {
  std::vector<std::string> call = {"env", "-u", "COLUMNS", HEARSAY_PROGRAM};
  if (!columns.empty()) {
    call = {"env", "COLUMNS=" + columns, HEARSAY_PROGRAM};
  }
  call.insert(call.end(), arguments.begin(), arguments.end());
  return testing::StartedProgram(call).wait().out;
}

const std::vector<std::string> kColours = {"TERM=xterm"};

std::string without_codes(const std::string& text) {
  return std::regex_replace(text, std::regex("\033\\[[0-9]*m"), "");
}

bool has_codes(const std::string& text) {
  return text.find('\033') != std::string::npos;
}

std::vector<std::string> quick_run(const ScratchDirectory& scratch, const std::string& name) {
  return {"run",
          HEARSAY_SOURCE_DIR "/experiments/quickstart.toml",
          "--set",
          "environment.horizon=200",
          "--set",
          "repetitions=2",
          "--quiet",
          "--out",
          scratch.file(name)};
}

TEST(Terminal, HasTheSameWordsWithColours) {
  const ScratchDirectory scratch;
  const std::vector<std::vector<std::vector<std::string>>> pairs_of_calls = {
      {{"--help"}, {"--help"}},
      {{"graph", "make", "--help"}, {"graph", "make", "--help"}},
      {{"list"}, {"list"}},
      {{"list", "uniform"}, {"list", "uniform"}},
      {quick_run(scratch, "a"), quick_run(scratch, "b")}};
  for (const auto& calls : pairs_of_calls) {
    const std::string coloured = on_terminal(calls[0], kColours);
    const std::string plain = on_pipe(calls[1]);
    EXPECT_TRUE(has_codes(coloured)) << coloured;
    EXPECT_FALSE(has_codes(plain)) << plain;
    EXPECT_EQ(without_codes(coloured), plain);
  }
}

TEST(Terminal, ShowsHeadingsTheBestLearnerAndErrorsInColour) {
  EXPECT_NE(on_terminal({"run", "--help"}, kColours).find("\n\033[1mOptions:\033[0m\n"),
            std::string::npos);
  EXPECT_NE(on_terminal({"run", "--help"}, kColours).find("\n\033[1mExample:\033[0m\n"),
            std::string::npos);
  EXPECT_TRUE(
      on_terminal({"run", "no.toml"}, kColours).starts_with("\033[31mhearsay:\033[0m no.toml: "));
  // hedge is the first row, but is shown the losses: the best learner is the next.
  const ScratchDirectory scratch;
  const std::string results = on_terminal(quick_run(scratch, "a"), kColours);
  const std::size_t green = results.find("\033[32m");
  ASSERT_NE(green, std::string::npos) << results;
  EXPECT_TRUE(results.substr(green + 5).starts_with("exp3-ivc")) << results;
  EXPECT_EQ(results.find("\033[32m", green + 1), std::string::npos) << results;
}

TEST(Terminal, HasNoColoursIfNoColorIsSetOrTheTerminalIsDumb) {
  for (const std::vector<std::string>& environment :
       std::vector<std::vector<std::string>>{{},
                                             {"TERM="},
                                             {"TERM=dumb"},
                                             {"TERM=xterm", "NO_COLOR=1"},
                                             {"TERM=xterm", "NO_COLOR=0"}}) {
    for (const std::vector<std::string>& call :
         std::vector<std::vector<std::string>>{{"--help"}, {"list"}, {"run", "no.toml"}}) {
      EXPECT_FALSE(has_codes(on_terminal(call, environment))) << call[0];
    }
  }
  EXPECT_TRUE(has_codes(on_terminal({"--help"}, {"TERM=xterm", "NO_COLOR="})));
}

TEST(Terminal, ColoursAreDecidedSeparatelyForEachStream) {
  EXPECT_FALSE(run_program({"run", "no.toml"}).err.empty());
  EXPECT_FALSE(has_codes(run_program({"run", "no.toml"}).err));
  EXPECT_TRUE(has_codes(on_terminal({"run", "no.toml"}, kColours, {STDERR_FILENO})));
  EXPECT_EQ(on_terminal({"list"}, kColours, {STDERR_FILENO}), "");
  EXPECT_TRUE(has_codes(on_terminal({"list"}, kColours, {STDOUT_FILENO})));
}

// 30 cells: a terminal shows the first 20 of the lines that a pipe has, and where the others are.
TEST(Terminal, ShowsTheBestOfManyResults) {
  const ScratchDirectory scratch;
  const auto call = [&](const std::string& name) {
    std::vector<std::string> rates;
    for (int i = 1; i <= 25; ++i) {
      rates.push_back(fmt::format("0.{:02}", i));
    }
    std::vector<std::string> arguments = quick_run(scratch, name);
    arguments.emplace_back("--set");
    arguments.push_back(fmt::format("learners.exp3-wix.rate=[{}]", fmt::join(rates, ",")));
    return arguments;
  };
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      lines.push_back(line);
    }
    return lines;
  };
  const std::vector<std::string> shown = lines_of(on_terminal(call("a"), {}));
  const std::vector<std::string> whole = lines_of(on_pipe(call("b")));
  ASSERT_EQ(whole.size(), 2U + 30);
  ASSERT_EQ(shown.size(), 2U + 20 + 1);
  EXPECT_TRUE(std::equal(shown.begin(), shown.end() - 1, whole.begin()));
  EXPECT_EQ(shown.back(),
            fmt::format("and 10 rows with more regret: {}", scratch.file("a/ranking.csv")));
  EXPECT_EQ(lines_of(scratch.read("a/ranking.csv")).size(), 1U + 30);
}

// The width of the longest line. Examples, which are copied, are not wrapped: they do not count.
std::size_t width_of_text(const std::string& text) {
  std::istringstream lines(text.substr(0, text.find("\nExample:\n")));
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    longest = std::max(longest, line.size());
  }
  return longest;
}

const std::vector<std::vector<std::string>> kLongTexts = {
    {"--help"}, {"alpha", "--help"}, {"replay", "--help"}, {"list"}, {"list", "exp3-wix"}};

// The longest line fills the width up to a word, and words have up to 20 letters.
void expect_width(const std::string& text, std::size_t width, const std::string& call) {
  EXPECT_LE(width_of_text(text), width) << call << '\n' << text;
  EXPECT_GT(width_of_text(text), width - 20) << call << '\n' << text;
}

TEST(Terminal, HasHelpAndListsOfItsWidth) {
  for (const auto& call : kLongTexts) {
    for (const auto& [columns, width] : std::vector<std::pair<unsigned short, std::size_t>>{
             {60, 60}, {80, 80}, {100, 100}, {0, 80}, {20, 60}, {200, 120}}) {
      const std::string text =
          on_terminal(call, {"TERM=dumb", "NO_COLOR=1"}, {STDOUT_FILENO}, columns);
      expect_width(text, width, call[0]);
    }
    const std::string narrow = on_terminal(call, {"COLUMNS=100"}, {STDOUT_FILENO}, 70);
    expect_width(narrow, 70, call[0]);
  }
}

TEST(Terminal, WithoutATerminalTextsHave80ColumnsOrThoseOfTheVariable) {
  for (const auto& call : kLongTexts) {
    expect_width(on_pipe(call), 80, call[0]);
    expect_width(on_pipe(call, "90"), 90, call[0]);
    expect_width(on_pipe(call, "10"), 60, call[0]);
    EXPECT_EQ(on_pipe(call, "wide"), on_pipe(call));
  }
}

TEST(Terminal, HasTheSameWordsAtEveryWidth) {
  const auto split = [](const std::string& text) {
    std::istringstream stream(text);
    return std::vector<std::string>(std::istream_iterator<std::string>(stream), {});
  };
  for (const auto& call : kLongTexts) {
    EXPECT_EQ(split(on_pipe(call, "60")), split(on_pipe(call, "120")));
  }
}

}  // namespace
}  // namespace hearsay
