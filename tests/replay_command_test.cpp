// `hearsay replay`, `hearsay list` and the program itself, called as programs.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;

const std::string kLog =
    "{\"arms\": 2}\n"
    "{\"arm\": 0, \"observations\": [0.25, 0.5], \"weights\": [[1, 0.5], [0, 1]]}\n"
    "{\"arm\": 1, \"observations\": [null, 0.5]}\n";

TEST(ReplayCommand, PrintsOneLineForEachRound) {
  const ProgramRun run = run_program({"replay", "-", "--learner", "exp3-wix"}, kLog);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const std::size_t end = run.out.find('\n');
  const auto first = nlohmann::json::parse(run.out.substr(0, end));
  const auto second = nlohmann::json::parse(run.out.substr(end));
  EXPECT_EQ(first["t"], 1);
  EXPECT_EQ(first["probabilities"], nlohmann::json({0.5, 0.5}));
  EXPECT_EQ(second["t"], 2);
  EXPECT_EQ(second["estimates"][0], 0.0);
  EXPECT_GT(second["bound"], first["bound"]);
  const ProgramRun exp3 = run_program({"replay", "-", "--learner", "exp3"}, kLog);
  EXPECT_NE(exp3.out.find("\"bound\": null"), std::string::npos);
}

nlohmann::json last_line(const std::string& out) {
  const std::size_t end = out.find_last_not_of('\n');
  return nlohmann::json::parse(out.substr(out.rfind('\n', end) + 1));
}

TEST(ReplayCommand, PrintsTheBoundsByNameAndWhatFailed) {
  const auto wix = last_line(run_program({"replay", "-", "--learner", "exp3-wix"}, kLog).out);
  EXPECT_EQ(wix["bounds"]["paper"], wix["bound"]);
  for (const char* name : {"entropic", "realised", "estimated"}) {
    EXPECT_TRUE(wix["bounds"][name].is_number()) << name;
  }
  EXPECT_FALSE(wix.contains("failures"));
  EXPECT_FALSE(wix["bounds"].contains("high_probability"));
  const ProgramRun confident =
      run_program({"replay", "-", "--learner", "exp3", "--confidence", "0.9"}, kLog);
  EXPECT_TRUE(last_line(confident.out)["bounds"]["high_probability"].is_number());
  const auto outside = last_line(run_program({"replay", "-", "--learner", "exp3-ivc", "--lenient"},
                                             kLog + "{\"arm\": 1, \"observations\": [null, 1.5]}\n")
                                     .out);
  EXPECT_TRUE(outside["bound"].is_null());
  EXPECT_TRUE(outside["bounds"]["entropic"].is_null());
  EXPECT_EQ(outside["failures"]["entropic"], "round 3: an observation was out of range");
  EXPECT_TRUE(outside["bounds"]["realised"].is_number());
  const auto share =
      last_line(run_program({"replay", "-", "--learner", "exp3-ivc-share"}, kLog).out);
  EXPECT_GT(share["bounds"]["tracking_per_switch"], 0);
}

TEST(ReplayCommand, PrintsTheRoundsBeforeAnError) {
  const std::string bad = kLog + "{\"arm\": 1, \"observations\": [null, 1.5]}\n";
  const ProgramRun run = run_program({"replay", "-", "--learner", "exp3-wix"}, bad);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err.rfind("hearsay: standard input:4: the observation of arm 1 is 1.5", 0), 0U)
      << run.err;
  EXPECT_EQ(run.out, run_program({"replay", "-", "--learner", "exp3-wix"}, kLog).out);
  const ProgramRun lenient =
      run_program({"replay", "-", "--learner", "exp3-wix", "--lenient"}, bad);
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_NE(lenient.err.find("1 observations are out of range"), std::string::npos);
  EXPECT_NE(lenient.out.find("\"bound\": null"), std::string::npos);
}

TEST(ReplayCommand, RefusesWrongCalls) {
  const ScratchDirectory scratch;
  scratch.write("empty.jsonl", "");
  struct Case {
    std::vector<std::string> arguments;
    std::string what;
  };
  for (const auto& [arguments, what] : std::vector<Case>{
           {{"replay"}, "LOG"},
           {{"replay", "-"}, "--learner"},
           {{"replay", "-", "--learner", "exp4"}, "learner: 'exp4' is not known"},
           {{"replay", "-", "--learner", "exp3", "--rate", "fast"}, "--rate: "},
           {{"replay", "-", "--learner", "exp3", "--rate", "0"}, "rate: is 0"},
           {{"replay", "-", "--learner", "exp3", "--rate", "nan"}, "rate: is nan"},
           {{"replay", "-", "--learner", "exp3", "--exploration", "-1"}, "exploration: is -1"},
           {{"replay", "-", "--learner", "exp3", "--exploration", "x"}, "--exploration: "},
           {{"replay", "-", "--learner", "exp3", "--threshold", "0.5"}, "--threshold: exp3 takes"},
           {{"replay", "-", "--learner", "exp3-ixt"}, "--threshold: is missing"},
           {{"replay", "-", "--learner", "exp3-ixt", "--threshold", "2"}, "threshold: is 2"},
           {{"replay", "-", "--learner", "exp3-ixt", "--threshold", "x"}, "--threshold: is 'x'"},
           {{"replay", "-", "--learner", "exp3-wix", "--delta", "0"}, "delta: is 0"},
           {{"replay", "-", "--learner", "exp3-wix", "--tuning", "best"}, "--tuning: "},
           {{"replay", "-", "--learner", "exp3-ivx", "--tuning", "sharp"},
            "tuning: exp3-ivx takes"},
           {{"replay", "-", "--learner", "exp3", "--noise-bound", "-1"}, "--noise-bound: is -1"},
           {{"replay", "-", "--learner", "exp3", "--confidence", "1"}, "confidence: is 1"},
           {{"replay", "-", "--learner", "exp3", "--noise", "learned"}, "--noise: exp3 takes none"},
           {{"replay", "-", "--learner", "tsallis-ivc", "--order", "1"}, "--order: is 1"},
           {{"replay", "-", "--learner", "exp3", "--noise"}, "--noise"},
           {{"replay", scratch.file("none.jsonl"), "--learner", "exp3"}, "none.jsonl: "},
           {{"replay", scratch.file("empty.jsonl"), "--learner", "exp3"},
            "empty.jsonl:1: is empty"},
           {{"replay", scratch.file(""), "--learner", "exp3"}, "is a directory, expected a file"},
           {{"list", "everything"}, "everything"},
           {{"list", "--jsno"}, "--jsno"},
           {{"lsit"}, "command: 'lsit'"},
           {{}, "command: no COMMAND"},
       }) {
    const ProgramRun run = run_program(arguments, kLog);
    EXPECT_EQ(run.exit_code, 2) << what;
    EXPECT_EQ(run.err.rfind("hearsay: ", 0), 0U) << run.err;
    EXPECT_NE(run.err.find(what), std::string::npos) << run.err << "expected: " << what;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(ListCommand, NamesEverythingWithItsReference) {
  const ProgramRun run = run_program({"list", "--json"});
  EXPECT_EQ(run.exit_code, 0);
  const auto all = nlohmann::json::parse(run.out);
  for (const char* section : {"learners", "graph_sequences", "losses", "noise", "graphs"}) {
    EXPECT_FALSE(all[section].empty()) << section;
    for (const auto& entry : all[section]) {
      EXPECT_FALSE(entry["name"].get<std::string>().empty());
      EXPECT_FALSE(entry["summary"].get<std::string>().empty());
      EXPECT_FALSE(entry["reference"].get<std::string>().empty()) << entry;
      EXPECT_NE(run_program({"list"}).out.find(entry["name"]), std::string::npos);
    }
  }
}

TEST(Program, SaysWhenItsOutputCannotBeWritten) {
  const std::string call = std::string(HEARSAY_PROGRAM) + " list > /dev/full 2> /dev/null";
  EXPECT_EQ(WEXITSTATUS(std::system(call.c_str())), 1);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace
}  // namespace hearsay
