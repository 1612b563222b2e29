// The commands `hearsay run` and `hearsay merge`, called as programs.

#include <chrono>
#include <filesystem>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/mount.h>

#include "hearsay/base/bytes.h"
#include "hearsay/report/html.h"
#include "tests/program.h"
#include "tests/random_source.h"
#include "tests/small_experiment.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::catches;
using testing::checkpoint_in;
using testing::kSmallExperiment;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;
using testing::StartedProgram;

class RunCommand : public ::testing::Test {
 protected:
  RunCommand() { scratch.write("small.toml", kSmallExperiment); }

  // hearsay run small.toml --out OUT MORE...
  std::vector<std::string> call(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"run", scratch.file("small.toml"), "--out",
                                          scratch.file(out)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  ProgramRun run(const std::string& out, std::vector<std::string> more = {}) const {
    return run_program(call(out, std::move(more)));
  }
  std::string results(const std::string& out) const { return scratch.read(out + "/results.csv"); }
  std::string only_line(const std::string& text) const {
    EXPECT_EQ(text.find('\n'), text.size() - 1) << text;
    return text;
  }

  ScratchDirectory scratch;
};

// A call that takes about a second, long enough to be interrupted.
const std::vector<std::string> kLongCall = {"--set", "environment.horizon=20000", "--quiet"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST_F(RunCommand, WritesResultsASummaryAndTheExperiment) {
  const ProgramRun run = this->run("out");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(
      run.out.starts_with("mean regret after 60 rounds, over 3 runs on each of 2 sequences; error: "
                          "standard error\nlabel "))
      << run.out;
  const std::string results = this->results("out");
  const std::string summary = scratch.read("out/summary.csv");
  EXPECT_EQ(std::ranges::count(results, '\n'), 1 + 8 * 5);
  EXPECT_EQ(std::ranges::count(summary, '\n'), 1 + 8);
  // The summary is the last point of every curve.
  std::istringstream lines(results);
  std::string expected;
  for (std::string line; std::getline(lines, line);) {
    if (line.find(",60,6,") != std::string::npos || line.starts_with("label,")) {
      expected += line + "\n";
    }
  }
  EXPECT_EQ(summary, expected);
  EXPECT_EQ(checkpoint_in(scratch.file("out")), "");
}

TEST_F(RunCommand, SaysWhereTheReportIs) {
  const std::string report =
      report_available() ? fmt::format(", report in {}", scratch.file("out/report.html")) : "";
  EXPECT_TRUE(run("out").err.ends_with(
      fmt::format("hearsay: results in {}{}\n", scratch.file("out"), report)));
  EXPECT_EQ(fs::exists(scratch.file("out/report.html")), report_available());
  // A shard has none.
  EXPECT_TRUE(run("shard", {"--shard", "1/2"})
                  .err.ends_with(fmt::format("results in {}\n", scratch.file("shard"))));
}

TEST_F(RunCommand, GivesTheSameBytesForAnyNumberOfThreadsAndFromItsOwnExperimentFile) {
  for (const char* threads : {"1", "2", "3"}) {
    EXPECT_EQ(run(threads, {"--threads", threads}).exit_code, 0);
    EXPECT_EQ(results(threads), results("1"));
  }
  const ProgramRun again =
      run_program({"run", scratch.file("1/experiment.toml"), "--out", scratch.file("again")});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  for (const char* name :
       {"results.csv", "summary.csv", "ranking.csv", "experiment.toml", "report.html"}) {
    EXPECT_EQ(scratch.read(std::string("again/") + name), scratch.read(std::string("1/") + name))
        << name;
  }
  EXPECT_EQ(run("seed", {"--seed", "2"}).exit_code, 0);
  EXPECT_NE(results("seed"), results("1"));
}

// When and where the run was made, and how long it took, is in a file of its own, so that all other
// files are equal in equal runs.
TEST_F(RunCommand, WritesARunRecordBesideTheResults) {
  ASSERT_EQ(run("out", {"--threads", "2"}).exit_code, 0);
  const auto record = nlohmann::json::parse(scratch.read("out/run.json"));
  EXPECT_EQ(record.at("threads"), 2);
  EXPECT_GE(record.at("seconds").get<double>(), 0);
  for (const char* key : {"version", "host", "system"}) {
    EXPECT_NE(record.at(key), "") << key;
  }
  const std::string started = record.at("started");
  EXPECT_EQ(started.size(), std::string_view("2016-05-09T12:00:00Z").size());
  EXPECT_LE(started, record.at("finished").get<std::string>());  // such times sort as text
  // It is a file of hearsay: a finished run needs it, and the next one replaces it.
  EXPECT_NE(run("out", {"--resume"}).err.find("is finished already"), std::string::npos);
  fs::remove(scratch.file("out/run.json"));
  EXPECT_EQ(run("out", {"--resume"}).exit_code, 0);
  EXPECT_EQ(nlohmann::json::parse(scratch.read("out/run.json")).size(), record.size());
  scratch.write("out/run.json", "mine");
  EXPECT_EQ(run("out", {"--force"}).exit_code, 2);
  EXPECT_EQ(scratch.read("out/run.json"), "mine");
}

TEST_F(RunCommand, PrintsJson) {
  const ProgramRun run = this->run("out", {"--json"});
  const auto json = nlohmann::json::parse(run.out);
  EXPECT_EQ(json.at("name"), "small");
  ASSERT_EQ(json.at("results").size(), 8);
  EXPECT_EQ(json["results"][0]["rate"], "adaptive");
  EXPECT_EQ(json["results"][1]["rate"], 0.1);
  const std::string regret = fmt::format("{}", json["results"][7]["regret"].get<double>());
  EXPECT_NE(scratch.read("out/summary.csv").find("," + regret + ","), std::string::npos);
}

TEST_F(RunCommand, DryRunPrintsThePlanAndWritesNothing) {
  const ProgramRun run = this->run("out", {"--dry-run", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const auto plan = nlohmann::json::parse(run.out);
  EXPECT_EQ(plan.at("cells"), 8);
  EXPECT_EQ(plan.at("runs"), 8 * 2 * 3);
  EXPECT_EQ(plan.at("rounds"), 8 * 2 * 3 * 60);
  EXPECT_GT(plan.at("seconds").get<double>(), 0);
  EXPECT_FALSE(fs::exists(scratch.file("out")));
  const ProgramRun text = this->run("out", {"--dry-run"});
  EXPECT_NE(text.out.find("8 cells x 2 sequences x 3 repetitions: 48 runs, 2,880 rounds"),
            std::string::npos)
      << text.out;
}

TEST_F(RunCommand, CountsTheRoundsOfAnyShardAndRefusesMoreThanItCanCount) {
  const ProgramRun shard = run("out", {"--shard", "2/18446744073709551615", "--dry-run", "--json"});
  EXPECT_EQ(shard.exit_code, 0) << shard.err;
  EXPECT_EQ(nlohmann::json::parse(shard.out).at("rounds"), 60);
  const ProgramRun too_many =
      run("out", {"--dry-run", "--json", "--set", "repetitions=100000", "--set", "points=[1]",
                  "--set", "environment.horizon=1000000000000000"});
  EXPECT_EQ(too_many.exit_code, 2);
  EXPECT_NE(only_line(too_many.err)
                .find("horizon: 1000000000000000 rounds of 1600000 runs, expected "
                      "fewer than 2^64 in all"),
            std::string::npos)
      << too_many.err;
}

TEST_F(RunCommand, WritesToADirectoryWhoseNameIsNotUtf8) {
  const ProgramRun run = this->run("caf\xe9");
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_TRUE(fs::exists(scratch.file("caf\xe9/summary.csv")));
}

TEST_F(RunCommand, NamesWrongOptions) {
  const auto line = [&](const ProgramRun& run) {
    EXPECT_EQ(run.exit_code, 2) << run.err;
    return only_line(run.err);
  };
  EXPECT_EQ(
      line(run_program({"run", scratch.file("absent.toml")})),
      fmt::format("hearsay: {}: No such file or directory, expected a file that can be read\n",
                  scratch.file("absent.toml")));
  EXPECT_EQ(line(run("out", {"--set", "environment.horizn=5"})),
            "hearsay: --set environment.horizn: 'horizn' is not a key of [environment], expected "
            "'horizon'\n");
  for (const char* shard : {"0/2", "3/2", "1", "1/x", "1/2/3", "/"}) {
    EXPECT_EQ(line(run("out", {"--shard", shard})),
              fmt::format("hearsay: --shard: '{}', expected I/K with I from 1 to K\n", shard));
  }
  line(run("out", {"--threads", "0"}));
  line(run("out", {"--seed", "x"}));
  EXPECT_FALSE(fs::exists(scratch.file("out")));
}

// Runs the command in the message, as a user does who copies it.
TEST_F(RunCommand, TheCommandThatContinuesWorksInAShellWhateverTheDirectoryIsCalled) {
  ASSERT_EQ(run("whole", kLongCall).exit_code, 0);
  const std::vector<std::string> in_scratch = {"/usr/bin/env", "-C", scratch.file(".")};
  for (const std::string out : {"-out", "--force", "it's $HOME; *"}) {
    StartedProgram program(
        in_scratch +
        std::vector<std::string>{HEARSAY_PROGRAM, "run", "small.toml", "--out=" + out} + kLongCall);
    program.wait_until([&] { return catches(program.id(), SIGINT); });
    program.signal(SIGINT);
    const std::string message = only_line(program.wait().err);
    const std::string before = "continue with: hearsay ";
    const std::size_t start = message.find(before);
    ASSERT_NE(start, std::string::npos) << message;
    const ProgramRun resumed =
        StartedProgram(in_scratch +
                       std::vector<std::string>{"/bin/sh", "-c",
                                                std::string(HEARSAY_PROGRAM) + " " +
                                                    message.substr(start + before.size())})
            .wait();
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(results(out), results("whole")) << out;
  }
}

TEST_F(RunCommand, MergesAShardWithoutUnits) {
  const std::vector<std::string> one_unit = {
      "--set", "sequences=1", "--set", "repetitions=1", "--set", "learners=[{learner='exp3-wix'}]"};
  const auto with_shard = [&](const char* shard) {
    std::vector<std::string> all = one_unit;
    all.insert(all.end(), {"--shard", shard});
    return all;
  };
  ASSERT_EQ(run("whole", one_unit).exit_code, 0);
  ASSERT_EQ(run("a", with_shard("1/2")).exit_code, 0);
  ASSERT_EQ(run("b", with_shard("2/2")).exit_code, 0);
  const ProgramRun merged =
      run_program({"merge", scratch.file("a"), scratch.file("b"), "--out", scratch.file("merged")});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(scratch.read("merged/results.csv"), scratch.read("whole/results.csv"));
}

TEST_F(RunCommand, MergesASingleShard) {
  ASSERT_EQ(run("whole").exit_code, 0);
  ASSERT_EQ(run("one", {"--shard", "1/1"}).exit_code, 0);
  const ProgramRun merged =
      run_program({"merge", scratch.file("one"), "--out", scratch.file("merged")});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  EXPECT_EQ(scratch.read("merged/results.csv"), scratch.read("whole/results.csv"));
}

TEST_F(RunCommand, MergesShardsToTheResultsOfTheWhole) {
  ASSERT_EQ(run("whole").exit_code, 0);
  // Two shards are in one directory, one in another.
  ASSERT_EQ(run("a", {"--shard", "1/3"}).exit_code, 0);
  ASSERT_EQ(run("a", {"--shard", "3/3"}).exit_code, 0);
  ProgramRun merged = run_program({"merge", scratch.file("a"), "--out", scratch.file("merged")});
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_NE(only_line(merged.err).find("16 of 48 units are missing"), std::string::npos)
      << merged.err;
  EXPECT_FALSE(fs::exists(scratch.file("merged")));
  ASSERT_EQ(run("b", {"--shard", "2/3"}).exit_code, 0);
  for (const char* record : {"a/shard-1-of-3.json", "a/shard-3-of-3.json", "b/shard-2-of-3.json"}) {
    EXPECT_TRUE(fs::exists(scratch.file(record))) << record;
  }
  merged =
      run_program({"merge", scratch.file("a"), scratch.file("b"), "--out", scratch.file("merged")});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  for (const char* name :
       {"results.csv", "summary.csv", "ranking.csv", "experiment.toml", "report.html"}) {
    EXPECT_EQ(scratch.read(std::string("merged/") + name),
              scratch.read(std::string("whole/") + name))
        << name;
  }
  // A shard of another experiment, and one that is damaged.
  ASSERT_EQ(run("c", {"--shard", "2/3", "--seed", "2"}).exit_code, 0);
  merged =
      run_program({"merge", scratch.file("a"), scratch.file("c"), "--out", scratch.file("mixed")});
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_NE(only_line(merged.err).find("another experiment"), std::string::npos) << merged.err;
  scratch.write("b/shard-2-of-3.units", scratch.read("b/shard-2-of-3.units").substr(0, 1000));
  merged =
      run_program({"merge", scratch.file("a"), scratch.file("b"), "--out", scratch.file("mixed")});
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_NE(only_line(merged.err).find("is damaged"), std::string::npos) << merged.err;
  EXPECT_FALSE(fs::exists(scratch.file("mixed")));
}

TEST_F(RunCommand, EndsWithTheSameBytesAfterTwentyKills) {
  ASSERT_EQ(run("whole", kLongCall).exit_code, 0);
  RandomSource dice(20);
  int kills = 0;
  for (int attempt = 0; kills < 20; ++attempt) {
    const std::string out = fmt::format("killed-{}", attempt);
    bool finished = false;
    while (!finished) {
      std::vector<std::string> arguments =
          call(out, kLongCall + std::vector<std::string>{"--resume"});
      arguments.insert(arguments.begin(), HEARSAY_PROGRAM);
      StartedProgram program(arguments);
      if (kills < 20) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1 + dice.below(300)));
        program.signal(SIGKILL);
      }
      const ProgramRun ended = program.wait();
      finished = ended.exit_code == 0;
      kills += finished ? 0 : 1;
      ASSERT_TRUE(finished || ended.exit_code == 128 + SIGKILL) << ended.err;
    }
    EXPECT_EQ(results(out), results("whole"));
    EXPECT_EQ(checkpoint_in(scratch.file(out)), "");
  }
}

TEST_F(RunCommand, StopsOnASignalAndSaysHowToContinue) {
  ASSERT_EQ(run("whole", kLongCall).exit_code, 0);
  for (const int signal : {SIGINT, SIGTERM}) {
    const std::string out = fmt::format("stopped by signal {}", signal);
    std::vector<std::string> arguments = call(out, kLongCall);
    arguments.insert(arguments.begin(), HEARSAY_PROGRAM);
    StartedProgram program(arguments);
    program.wait_until([&] { return catches(program.id(), signal); });
    program.signal(signal);
    const ProgramRun ended = program.wait();
    ASSERT_EQ(ended.exit_code, 1) << ended.err;
    const std::string expected =
        fmt::format("continue with: hearsay run '{0}/experiment.toml' --out '{0}' --resume\n",
                    scratch.file(out));
    EXPECT_TRUE(only_line(ended.err).ends_with(expected)) << ended.err;
    EXPECT_FALSE(fs::exists(scratch.file(out + "/results.csv")));

    // Without --resume it is not overwritten.
    const ProgramRun refused = run(out, kLongCall);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(only_line(refused.err).find("expected the option resume"), std::string::npos)
        << refused.err;

    const ProgramRun resumed = run_program({"run", scratch.file(out + "/experiment.toml"), "--out",
                                            scratch.file(out), "--resume", "--quiet"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(results(out), results("whole"));
    // A second time there is nothing left to do.
    EXPECT_EQ(run(out, kLongCall + std::vector<std::string>{"--resume"}).exit_code, 0);
  }
}

TEST_F(RunCommand, LeavesADirectoryOfAnotherExperimentUnchanged) {
  ASSERT_EQ(run("out").exit_code, 0);
  const std::string before = results("out");
  for (const char* option : {"", "--resume"}) {
    std::vector<std::string> more = {"--seed", "2"};
    if (*option != '\0') {
      more.emplace_back(option);
    }
    const ProgramRun refused = run("out", more);
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_NE(
        only_line(refused.err)
            .find(
                "of another experiment ('seed = 1' where this one has 'seed = 2'), expected none"),
        std::string::npos)
        << refused.err;
    EXPECT_EQ(results("out"), before);
  }
  // The same experiment may be run again.
  EXPECT_EQ(run("out").exit_code, 0);
  EXPECT_EQ(results("out"), before);
  // With --force the results are replaced.
  EXPECT_EQ(run("out", {"--seed", "2", "--force"}).exit_code, 0);
  EXPECT_NE(results("out"), before);
  // A file that hearsay did not write is not replaced.
  fs::create_directories(scratch.file("mine"));
  scratch.write("mine/results.csv", "precious");
  EXPECT_EQ(run("mine").exit_code, 2);
  EXPECT_EQ(scratch.read("mine/results.csv"), "precious");
  // Nor is an experiment.toml that the user wrote.
  scratch.write("mine/experiment.toml", kSmallExperiment);
  fs::remove(scratch.file("mine/results.csv"));
  EXPECT_EQ(
      run_program({"run", scratch.file("mine/experiment.toml"), "--out", scratch.file("mine")})
          .exit_code,
      2);
  EXPECT_EQ(scratch.read("mine/experiment.toml"), kSmallExperiment);
}

TEST_F(RunCommand, NamesADirectoryThatCannotBeMade) {
  scratch.write("file", "");
  const ProgramRun run = this->run("file/out");
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(only_line(run.err).find("file/out: could not be created"), std::string::npos)
      << run.err;
  const ProgramRun proc = run_program({"run", scratch.file("small.toml"), "--out", "/proc/out"});
  EXPECT_EQ(proc.exit_code, 2);
  only_line(proc.err);
}

// A file system of limited size, mounted for the lifetime of the object.
class SmallDisk {
 public:
  SmallDisk(std::string path, const std::string& size) : path_(std::move(path)) {
    fs::create_directories(path_);
    mounted_ = ::mount("tmpfs", path_.c_str(), "tmpfs", 0, ("size=" + size).c_str()) == 0;
  }
  ~SmallDisk() {
    if (mounted_) {
      ::umount2(path_.c_str(), MNT_DETACH);
    }
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool mounted() const { return mounted_; }
  bool resize(const std::string& size) const {
    return ::mount("tmpfs", path_.c_str(), "tmpfs", MS_REMOUNT, ("size=" + size).c_str()) == 0;
  }

 private:
  std::string path_;
  bool mounted_;
};

TEST_F(RunCommand, LosesNothingWhenTheDiskIsFull) {
  const SmallDisk disk(scratch.file("disk"), "24k");
  if (!disk.mounted()) {
    GTEST_SKIP() << "this process may not mount a file system";
  }
  ASSERT_EQ(run("whole").exit_code, 0);
  const ProgramRun full = run("disk/out");
  EXPECT_EQ(full.exit_code, 1);
  EXPECT_NE(
      only_line(full.err).find("No space left on device; what is done is kept; continue with"),
      std::string::npos)
      << full.err;
  ASSERT_TRUE(disk.resize("8m"));
  const ProgramRun resumed = run("disk/out", {"--resume"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(results("disk/out"), results("whole"));
  for (const auto& entry : fs::directory_iterator(scratch.file("disk/out"))) {
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos) << entry.path();
  }
}

TEST_F(RunCommand, GivesTheGoldenResults) {
  const std::string golden = std::string(HEARSAY_SOURCE_DIR) + "/tests/golden/small";
  const ProgramRun run =
      run_program({"run", golden + ".toml", "--out", scratch.file("golden"), "--quiet"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(results("golden"), read_file(golden + ".csv"));
}

}  // namespace
}  // namespace hearsay
