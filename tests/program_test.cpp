// What holds for every command of the program: how it deals with standard output and messages that
// nobody reads, a limit of the size of files, signals and empty arguments.

#include "tests/program.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "hearsay/report/html.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;
using testing::StartedProgram;

TEST(Program, SaysWhenItsOutputCannotBeWritten) {
  for (const std::string command : {"list", "--help"}) {
    const ProgramRun run = StartedProgram({"/bin/sh", "-c", "exec \"$0\" \"$1\" > /dev/full",
                                           HEARSAY_PROGRAM, command})
                               .wait();
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(run.err, "hearsay: standard output: could not be written\n");
  }
}

// Runs `hearsay ARGUMENTS...` with a standard output whose reader has ended before the program
// starts. `signal_action` is "" to ignore SIGPIPE, or "-" for its default action.
ProgramRun run_without_reader(const std::vector<std::string>& arguments,
                              const std::string& signal_action) {
  std::vector<std::string> call = {
      "bash", "-c",
      fmt::format("trap '{}' PIPE; exec 3> >(exec true); wait $!; exec \"$@\" >&3", signal_action),
      "bash", HEARSAY_PROGRAM};
  call.insert(call.end(), arguments.begin(), arguments.end());
  return StartedProgram(call).wait();
}

TEST(Program, CompletesItsFilesAndEndsQuietlyIfNobodyReadsItsOutput) {
  for (const std::string signal_action : {"", "-"}) {
    const ScratchDirectory scratch;
    scratch.write("small.toml", testing::kSmallExperiment);
    scratch.write("log.jsonl",
                  "{\"arms\": 1}\n"
                  "{\"arm\": 0, \"observations\": [0.25], \"weights\": [[1]]}\n");
    scratch.write("graph.csv", "played,seen,weight\n0,1,0.5\n1,2,0.25\n");
    std::vector<std::vector<std::string>> calls = {
        {"list"},
        {"--help"},
        {"replay", scratch.file("log.jsonl")},
        {"alpha", scratch.file("graph.csv"), "--at", "0.1,0.3", "--json", "--quiet"},
        {"run", scratch.file("small.toml"), "--quiet", "--out", scratch.file("out")}};
    if (report_available()) {
      calls.push_back({"alpha", scratch.file("graph.csv"), "--at", "0.1,0.3", "--json", "--quiet",
                       "--report", scratch.file("alpha.html")});
    }
    for (const std::vector<std::string>& call : calls) {
      const ProgramRun run = run_without_reader(call, signal_action);
      EXPECT_EQ(run.exit_code, 128 + SIGPIPE) << call[0];
      EXPECT_EQ(run.err, "") << call[0];
    }
    EXPECT_EQ(scratch.read("alpha.html").empty(), !report_available());
    EXPECT_FALSE(scratch.read("out/results.csv").empty());
    EXPECT_EQ(testing::checkpoint_in(scratch.file("out")), "");
  }
}

TEST(Program, ReportsWrongInputEvenIfNobodyReadsItsOutput) {
  const ProgramRun run = run_without_reader({"run", "no.toml"}, "");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_TRUE(run.err.starts_with("hearsay: no.toml: ")) << run.err;
}

TEST(Program, FinishesItsWorkIfNobodyReadsItsMessages) {
  const ScratchDirectory scratch;
  scratch.write("small.toml", testing::kSmallExperiment);
  const std::string call =
      fmt::format("bash -c '{} run {} --out {} 2> >(exec true) > /dev/null'", HEARSAY_PROGRAM,
                  scratch.file("small.toml"), scratch.file("out"));
  EXPECT_EQ(std::system(call.c_str()), 0);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_FALSE(scratch.read("out/results.csv").empty());
}

TEST(Program, ReportsAFileSizeLimitLikeAFullDisk) {
  const ScratchDirectory scratch;
  const std::string call =
      fmt::format("bash -c 'ulimit -f 4; {} graph make complete --arms 100 -o {}' 2> {}",
                  HEARSAY_PROGRAM, scratch.file("g.npy"), scratch.file("err"));
  EXPECT_EQ(WEXITSTATUS(std::system(call.c_str())), 1);  // NOLINT(concurrency-mt-unsafe)
  EXPECT_NE(scratch.read("err").find("g.npy"), std::string::npos) << scratch.read("err");
  EXPECT_EQ(scratch.names(), std::vector<std::string>{"err"});
}

// A shell script starts its background jobs like this. The program waits for a pipe.
TEST(Program, EndsAtASignalEvenIfItWasStartedWithTheSignalIgnored) {
  const ScratchDirectory scratch;
  ASSERT_EQ(::mkfifo(scratch.file("pipe").c_str(), 0600), 0);
  StartedProgram program({"/bin/sh", "-c", "trap '' INT; exec \"$0\" replay \"$1\"",
                          HEARSAY_PROGRAM, scratch.file("pipe")});
  std::ofstream pipe(scratch.file("pipe"));  // returns when the program has opened the other end
  program.signal(SIGINT);
  pipe.close();  // ends a program that ignores the signal
  EXPECT_EQ(program.wait().exit_code, 128 + SIGINT);
}

TEST(Program, RefusesEmptyArguments) {
  const auto refusal = [](const std::vector<std::string>& call) {
    const ProgramRun run = run_program(call);
    EXPECT_EQ(run.exit_code, 2);
    return run.err;
  };
  EXPECT_EQ(refusal({"run", "x.toml", "--out", ""}),
            "hearsay: --out: is empty, expected a value\n");
  EXPECT_EQ(refusal({"run", "x.toml", "--out=", "--quiet"}),
            "hearsay: --out: is empty, expected a value\n");
  EXPECT_EQ(refusal({"run", ""}), "hearsay: argument 2: is empty, expected a value\n");
}

}  // namespace
}  // namespace hearsay
