// Input that cannot be read to its end is never treated as complete: directories, endless devices,
// input/output errors and lines that are too long, in every reader of the program.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <istream>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/base/text.h"
#include "hearsay/environment/losses.h"
#include "hearsay/experiment/experiment_file.h"
#include "hearsay/graph/files.h"
#include "hearsay/play/replay.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;
using testing::StartedProgram;

const std::string kTwoRounds =
    "{\"arms\": 2}\n"
    "{\"arm\": 0, \"observations\": [0.25, 0.5], \"weights\": [[1, 0.5], [0, 1]]}\n"
    "{\"arm\": 1, \"observations\": [null, 0.5]}\n";

// Gives the characters of `beginning`, then 'x' without end.
class EndlessBuffer final : public std::streambuf {
 public:
  explicit EndlessBuffer(std::string beginning) : beginning_(std::move(beginning)) {
    setg(beginning_.data(), beginning_.data(), beginning_.data() + beginning_.size());
    letters_.fill('x');
  }

 private:
  int_type underflow() override {
    setg(letters_.data(), letters_.data(), letters_.data() + letters_.size());
    return 'x';
  }

  std::string beginning_;
  std::array<char, 4096> letters_ = {};
};

// Gives the characters of a text, then fails like a broken disk.
class FailingBuffer final : public std::streambuf {
 public:
  explicit FailingBuffer(std::string text) : text_(std::move(text)) {
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }

 private:
  int_type underflow() override {
    throw std::system_error(std::make_error_code(std::errc::io_error));
  }

  std::string text_;
};

std::uint64_t rounds_before_failure(std::istream& log) {
  std::uint64_t rounds = 0;
  EXPECT_THROW(replay(log, "log", {.name = "exp3-wix"}, [&](const ReplayedRound&) { ++rounds; }),
               std::system_error);
  return rounds;
}

TEST(UnreadableInput, LinesEndAtLineFeedsAndAtTheEnd) {
  // 4096 is the size of the pieces in which a line is read.
  for (const std::size_t length : {0U, 1U, 4094U, 4095U, 4096U, 4097U, 8190U, 8191U, 100000U}) {
    const std::string first(length, 'a');
    for (const char* end : {"", "\n", "\nb", "\n\nb\n"}) {
      std::istringstream expected(first + end);
      std::istringstream stream(first + end);
      std::string line;
      for (std::string expected_line; std::getline(expected, expected_line);) {
        ASSERT_TRUE(read_line(stream, line)) << length;
        EXPECT_EQ(line, expected_line);
      }
      EXPECT_FALSE(read_line(stream, line)) << length;
    }
  }
}

TEST(UnreadableInput, AReadErrorIsNotTheEndOfALog) {
  FailingBuffer buffer(kTwoRounds);
  std::istream log(&buffer);
  EXPECT_EQ(rounds_before_failure(log), 2U);
  FailingBuffer within_a_line(kTwoRounds + "{\"arm\": 1");
  std::istream cut(&within_a_line);
  EXPECT_EQ(rounds_before_failure(cut), 2U);
}

TEST(UnreadableInput, ADescriptorThatCannotBeReadIsAnErrorOfTheMachine) {
  const int directory = ::open("/", O_RDONLY | O_CLOEXEC);
  ASSERT_GE(directory, 0);
  InputStream log(directory, "the root");
  EXPECT_EQ(rounds_before_failure(log), 0U);
  ::close(directory);
}

TEST(UnreadableInput, ALineOfALogHasALimit) {
  EndlessBuffer buffer("{\"arms\": 2}\n");
  std::istream log(&buffer);
  try {
    replay(log, "log", {.name = "exp3-wix"}, [](const ReplayedRound&) {});
    FAIL() << "the line has no end";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "log:2: is longer than 268435456 bytes, expected a shorter line");
  }
}

// Tries a directory and an endless device under this name.
template <class Read>
void expect_refused(const ScratchDirectory& scratch, const std::string& name, const Read& read) {
  const std::string path = scratch.file(name);
  std::filesystem::create_directory(path);
  read(path);
  std::filesystem::remove(path);
  std::filesystem::create_symlink("/dev/zero", path);
  read(path);
  std::filesystem::remove(path);
}

const std::vector<std::string> kGraphNames = {"g.npy", "g.arcs.npy", "g.mtx",   "g.csv",
                                              "g.clq", "g.col",      "g.dimacs"};

TEST(UnreadableInput, IsRefusedByEveryReaderOfTheLibrary) {
  const ScratchDirectory scratch;
  for (const std::string& name : kGraphNames) {
    expect_refused(scratch, name,
                   [](const std::string& path) { EXPECT_THROW(read_graph(path), Error) << path; });
  }
  for (const char* name : {"losses.csv", "losses.npy"}) {
    expect_refused(scratch, name, [](const std::string& path) {
      EXPECT_THROW(losses::from_file(path), Error) << path;
    });
  }
  expect_refused(scratch, "experiment.toml", [](const std::string& path) {
    EXPECT_THROW(read_experiment(path, {}), Error) << path;
  });
  std::filesystem::create_directory(scratch.file("log"));
  EXPECT_THROW(InputStream(scratch.file("log")), Error);
  EXPECT_THROW(InputStream(scratch.file("none")), Error);
}

void expect_wrong_input(const std::vector<std::string>& arguments) {
  const ProgramRun run = run_program(arguments);
  const std::string call = ::testing::PrintToString(arguments);
  EXPECT_EQ(run.exit_code, 2) << call;
  EXPECT_EQ(run.err.rfind("hearsay: ", 0), 0U) << run.err;
  EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  EXPECT_EQ(run.out, "") << call;
}

TEST(UnreadableInput, IsRefusedByEveryCommand) {
  const ScratchDirectory scratch;
  for (const std::string& name : kGraphNames) {
    expect_refused(scratch, name, [&](const std::string& path) {
      expect_wrong_input({"graph", "info", path});
      expect_wrong_input({"alpha", path});
    });
  }
  expect_refused(scratch, "experiment.toml", [](const std::string& path) {
    expect_wrong_input({"run", path});
  });
  expect_refused(scratch, "log.jsonl", [](const std::string& path) {
    expect_wrong_input({"replay", path, "--learner", "exp3"});
  });
  scratch.write("small.csv", "played,seen,weight\n0,1,0.5\n");
  expect_refused(scratch, "claims.json", [&](const std::string& path) {
    expect_wrong_input({"alpha", scratch.file("small.csv"), "--check", path});
  });
  const std::string environment =
      "[environment]\nhorizon = 5\n[environment.graph]\nfamily = 'grid'\nside = 2\n"
      "[environment.losses]\nkind = 'file'\nfile = 'losses.csv'\n[[learners]]\nlearner = 'exp3'\n";
  scratch.write("losses.toml", environment);
  expect_refused(scratch, "losses.csv", [&](const std::string& /*path*/) {
    expect_wrong_input({"run", scratch.file("losses.toml"), "--out", scratch.file("out")});
    EXPECT_FALSE(std::filesystem::exists(scratch.file("out")));
  });
}

TEST(UnreadableInput, ReplayReportsAFailureOfTheMachineIfStandardInputCannotBeRead) {
  const std::string call =
      std::string(HEARSAY_PROGRAM) + " replay - --learner exp3 < / 2>&1 > /dev/null";
  const ProgramRun run = StartedProgram({"/bin/sh", "-c", call}).wait();
  EXPECT_EQ(run.exit_code, 1);
  EXPECT_EQ(run.out, "hearsay: standard input: could not be read: Is a directory\n");
}

}  // namespace
}  // namespace hearsay
