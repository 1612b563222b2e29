// The program in a hostile environment: every call that changes its output directory fails, or is
// the last one before the process is killed; two processes write to one directory; the standard
// descriptors are closed or full. In all cases no file of the user is changed, and the same
// command, with --resume where there is a checkpoint, completes the directory to the same bytes,
// except for run.json.
//
// Each test prints how many faults it injected and what the directory was afterwards.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/checksum.h"
#include "tests/program.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::checkpoint_in;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;
using testing::StartedProgram;

using Words = std::vector<std::string>;

// Two units of work.
constexpr const char* kTinyExperiment = R"(
name = "tiny"
repetitions = 1
points = 2

[environment]
horizon = 10

[environment.graph]
family = "grid"
side = 2

[[learners]]
learner = "exp3"

[[learners]]
learner = "exp3-wix"
)";

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// run.json, or the same file of a shard: it has the time of the run, and differs between equal
// runs.
bool is_run_record(const std::string& name) {
  return name == "run.json" || (name.starts_with("shard-") && name.ends_with(".json"));
}

// The part of a file that is compared. Of run.json it is only whether the file is complete.
std::string comparable(const std::string& name, std::string text) {
  return is_run_record(name) && nlohmann::json::accept(text) ? "a complete record"
                                                             : std::move(text);
}

// What a user sees of a directory: its files, without those in .hearsay.
using Contents = std::map<std::string, std::string>;

Contents contents(const ScratchDirectory& scratch, const std::string& directory) {
  Contents found;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(scratch.file(directory), none)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file()) {
      found[name] = comparable(name, scratch.read(directory + "/" + name));
    }
  }
  return found;
}

// Replaces the run records, their checksums in other files, and the lines that depend on these
// checksums. Directories that differ only in the times of their records are then equal.
void hide_records(std::map<std::string, std::string>& files) {
  const std::regex own_checksum("\nchecksum [0-9a-f]+\n$");
  for (auto& [path, text] : files) {
    const std::string name = fs::path(path).filename().string();
    // Such as run.json, and run.run.json.part before it is in its place.
    if (name.find(".json") == std::string::npos || !nlohmann::json::accept(text)) {
      continue;
    }
    const std::string checksum = checksum_text(text);
    for (auto& [manifest, listed] : files) {
      for (std::size_t position = listed.find(checksum); position != std::string::npos;
           position = listed.find(checksum)) {
        listed.replace(position, checksum.size(), name);
        listed = std::regex_replace(listed, own_checksum, "\n");
      }
    }
    text = "a complete record";
  }
}

// Everything in a directory as one text, except for the text of lock files, which names a process.
std::string whole_state(const std::string& directory) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    std::string& text = found[entry.path().string()];
    if (entry.is_regular_file() &&
        entry.path().filename().string().find("lock") == std::string::npos) {
      std::ifstream in(entry.path(), std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(in), {});
    }
  }
  hide_records(found);
  std::string all;
  for (const auto& [path, text] : found) {
    all += path + '\0' + text + '\0';
  }
  return all;
}

std::vector<std::string> temporary_files(const std::string& directory) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.path().extension() == ".part") {
      found.push_back(entry.path().string());
    }
  }
  return found;
}

class Hostile : public ::testing::Test {
 protected:
  Hostile() { scratch.write("tiny.toml", kTinyExperiment); }

  Words run(const Words& more = {}) const {
    return Words{
               "run",    scratch.file("tiny.toml"), "--out", scratch.file("out"), "--threads", "1",
               "--quiet"} +
           more;
  }
  void expect_success(const Words& arguments) const {
    const ProgramRun run = run_program(arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
  }

  // The fault happens at the n-th call that changes the directory "out". If there are that many
  // calls, there is a file "mark" afterwards.
  ProgramRun run_with_fault(const Words& arguments, const std::string& kind, int n) const {
    fs::remove(scratch.file("mark"));
    return StartedProgram(Words{"/usr/bin/env", std::string("LD_PRELOAD=") + HEARSAY_FAULTS,
                                "HEARSAY_FAULT_PATH=" + scratch.file("out"),
                                "HEARSAY_FAULT_AT=" + std::to_string(n),
                                "HEARSAY_FAULT_KIND=" + kind,
                                "HEARSAY_FAULT_MARK=" + scratch.file("mark"), HEARSAY_PROGRAM} +
                          arguments)
        .wait();
  }
  // Leaves in "half" the directory of a run that was killed after one of its two units. The run is
  // repeated and killed one call later each time until that is so.
  void make_half_of(const Words& call) const;
  void copy_to_out(const std::string& directory) const {
    fs::copy(scratch.file(directory), scratch.file("out"), fs::copy_options::recursive);
  }

  // Each test has a directory "out", which set_up() brings to the state before the call.
  struct Scenario {
    std::function<void()> set_up;
    Words call;                   // into which faults are injected
    Words again;                  // completes the directory after a fault
    bool all_or_nothing = false;  // on a full disk the call changes nothing, or is completed
    std::function<void()> check_after_fault = [] {};
  };
  void inject_everywhere(const Scenario& scenario);

  ScratchDirectory scratch;
};

void Hostile::make_half_of(const Words& call) const {
  std::uintmax_t header = 0;
  std::uintmax_t size = 0;
  for (int call_number = 1; size == header; ++call_number) {
    fs::remove_all(scratch.file("out"));
    ASSERT_EQ(run_with_fault(call, "kill", call_number).exit_code, 128 + SIGKILL);
    std::error_code none;
    const std::uintmax_t now = fs::file_size(checkpoint_in(scratch.file("out")) + "/units", none);
    size = none ? 0 : now;
    header = header == 0 ? size : header;
  }
  fs::rename(scratch.file("out"), scratch.file("half"));
}

void Hostile::inject_everywhere(const Scenario& scenario) {
  const auto start = [&] {
    fs::remove_all(scratch.file("out"));
    scenario.set_up();
    fs::create_directories(scratch.file("out"));
    scratch.write("out/notes.txt", "precious");
  };
  start();
  const Contents before = contents(scratch, "out");
  expect_success(scenario.call);
  const Contents complete = contents(scratch, "out");
  ASSERT_NE(before, complete);

  std::map<std::string, int> states;  // of the directory after a fault
  std::set<std::string> tried;
  int faults = 0;
  for (const char* kind : {"once", "full", "kill", "torn"}) {
    for (int call_number = 1;; ++call_number) {
      start();
      const ProgramRun run = run_with_fault(scenario.call, kind, call_number);
      const std::string where = std::string(kind) + " at call " + std::to_string(call_number);
      if (!fs::exists(scratch.file("mark"))) {
        EXPECT_EQ(run.exit_code, 0) << where << run.err;
        break;
      }
      ++faults;
      const bool killed = run.exit_code == 128 + SIGKILL;
      if (!killed && run.exit_code != 0) {
        EXPECT_TRUE(run.exit_code == 1 || run.exit_code == 2) << where << ": " << run.exit_code;
        EXPECT_TRUE(run.err.starts_with("hearsay: ")) << where << run.err;
        EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << where << run.err;
      }
      scenario.check_after_fault();
      const Contents after = contents(scratch, "out");
      const char* state = after == before     ? "as before"
                          : after == complete ? "complete"
                                              : "to be completed";
      ++states[state];
      if (run.exit_code == 0) {
        EXPECT_EQ(after, complete) << where;
      }
      if (scenario.all_or_nothing && !killed && std::string(kind) == "full") {
        EXPECT_TRUE(after == before || after == complete) << where;
      }
      if (!tried.insert(whole_state(scratch.file("out"))).second) {
        continue;  // the directory was in this state before, and was completed
      }
      const ProgramRun again = run_program(scenario.again);
      EXPECT_EQ(again.exit_code, 0) << where << again.err;
      EXPECT_EQ(contents(scratch, "out"), complete) << where;
      EXPECT_EQ(temporary_files(scratch.file("out")), Words{}) << where;
      if (HasFailure()) {
        return;
      }
    }
  }
  std::cout << faults << " faults, " << tried.size() << " states:";
  for (const auto& [state, times] : states) {
    std::cout << ' ' << times << ' ' << state << ',';
  }
  std::cout << " 0 lost\n";
  EXPECT_GT(faults, 50);
}

TEST_F(Hostile, ARunIsCompletedAfterAnyFault) {
  inject_everywhere({.set_up = [] {}, .call = run(), .again = run({"--resume"})});
}

TEST_F(Hostile, AForcedRunIsCompletedAfterAnyFault) {
  expect_success(run({"--seed", "2"}));
  fs::rename(scratch.file("out"), scratch.file("seed-2"));
  inject_everywhere({.set_up = [&] { copy_to_out("seed-2"); },
                     .call = run({"--force"}),
                     .again = run({"--force"})});
}

TEST_F(Hostile, AResumedRunIsCompletedAfterAnyFault) {
  make_half_of(run());
  inject_everywhere({.set_up = [&] { copy_to_out("half"); },
                     .call = run({"--resume"}),
                     .again = run({"--resume"})});
}

TEST_F(Hostile, AForcedRunKeepsAnotherExperimentsCheckpointUntilItHasTheDirectory) {
  make_half_of(run({"--seed", "2"}));
  const std::string manifest = "/.hearsay/manifest";
  const std::string units =
      checkpoint_in(scratch.file("half")).substr(scratch.file("half").size()) + "/units";
  inject_everywhere({.set_up = [&] { copy_to_out("half"); },
                     .call = run({"--force"}),
                     .again = run({"--force"}),
                     .check_after_fault =
                         [&] {
                           if (scratch.read("out" + manifest) == scratch.read("half" + manifest)) {
                             EXPECT_EQ(scratch.read("out" + units), scratch.read("half" + units));
                           }
                         }});
}

// The merge writes into the directory of the shards.
TEST_F(Hostile, AMergeLosesNoShardAndLeavesEverythingIfTheDiskIsFull) {
  expect_success(run({"--shard", "1/2"}));
  expect_success(run({"--shard", "2/2"}));
  fs::rename(scratch.file("out"), scratch.file("shards"));
  const Words merge = {"merge", scratch.file("out"), "--out", scratch.file("out"), "--force"};
  inject_everywhere({.set_up = [&] { copy_to_out("shards"); },
                     .call = merge,
                     .again = merge,
                     .all_or_nothing = true});
}

TEST_F(Hostile, AMergeOverAnotherExperimentLeavesItIfTheDiskIsFull) {
  expect_success(run());
  fs::rename(scratch.file("out"), scratch.file("seed-1"));
  expect_success(run({"--shard", "1/2", "--seed", "2"}));
  expect_success(run({"--shard", "2/2", "--seed", "2"}));
  fs::rename(scratch.file("out"), scratch.file("shards"));
  const Words merge = {"merge", scratch.file("shards"), "--out", scratch.file("out"), "--force"};
  inject_everywhere({.set_up = [&] { copy_to_out("seed-1"); },
                     .call = merge,
                     .again = merge,
                     .all_or_nothing = true});
}

// Faults are injected after all graphs are solved. To get there, the run is killed one call later
// each time until they are.
TEST_F(Hostile, AReproductionIsCompletedAfterAnyFault) {
  const Words reproduce = {"reproduce", "grid",     "--quick", "--quiet",          "--threads",
                           "1",         "--resume", "--out",   scratch.file("out")};
  for (int call_number = 1; !fs::exists(checkpoint_in(scratch.file("out")) + "/grid.solved");
       ++call_number) {
    fs::remove_all(scratch.file("out"));
    ASSERT_EQ(run_with_fault(reproduce, "kill", call_number).exit_code, 128 + SIGKILL);
  }
  fs::rename(scratch.file("out"), scratch.file("solved"));
  inject_everywhere(
      {.set_up = [&] { copy_to_out("solved"); }, .call = reproduce, .again = reproduce});
}

// Runs of two seeds start at different times in one directory. Exactly one of them has it, and the
// other one says so.
TEST_F(Hostile, TwoRunsInOneDirectoryLeaveTheResultsOfOne) {
  constexpr int kStarts = 100;
  std::map<std::string, Contents> expected;
  for (const char* seed : {"1", "2"}) {
    expect_success(run({"--seed", seed}));
    expected[seed] = contents(scratch, "out");
    fs::remove_all(scratch.file("out"));
  }
  RandomSource dice(13);
  std::map<std::string, int> outcomes;
  for (int start = 0; start < kStarts; ++start) {
    const bool force = start % 2 == 1;
    fs::remove_all(scratch.file("out"));
    std::map<std::string, ProgramRun> runs;
    {
      const Words program = {HEARSAY_PROGRAM};
      const Words options = force ? Words{"--force"} : Words{};
      StartedProgram first(program + run(options + Words{"--seed", "1"}));
      std::this_thread::sleep_for(std::chrono::microseconds(dice.below(60'000)));
      StartedProgram second(program + run(options + Words{"--seed", "2"}));
      runs["1"] = first.wait();
      runs["2"] = second.wait();
    }
    int succeeded = 0;
    bool has_results_of_one = false;
    for (const auto& [seed, ended] : runs) {
      if (ended.exit_code == 0) {
        ++succeeded;
        has_results_of_one = has_results_of_one || contents(scratch, "out") == expected[seed];
      } else {
        EXPECT_EQ(ended.exit_code, 2) << ended.err;
        const bool in_use = ended.err.find("is in use by process") != std::string::npos;
        EXPECT_TRUE(in_use || ended.err.find("of another experiment") != std::string::npos)
            << ended.err;
        ++outcomes[in_use ? "found it in use" : "found another experiment"];
      }
    }
    EXPECT_TRUE(has_results_of_one);
    EXPECT_TRUE(succeeded == 1 || (force && succeeded == 2)) << succeeded;
    ++outcomes[succeeded == 1 ? "one succeeded" : "both succeeded, one after the other"];
  }
  std::cout << kStarts << " starts of two processes:";
  for (const auto& [outcome, times] : outcomes) {
    std::cout << ' ' << times << ' ' << outcome << ',';
  }
  std::cout << " 0 mixed\n";
}

TEST_F(Hostile, ShardsThatStartTogetherInOneDirectoryGiveTheWhole) {
  expect_success(run());
  const Contents whole = contents(scratch, "out");
  fs::remove_all(scratch.file("out"));
  for (int repetition = 0; repetition < 5; ++repetition) {
    fs::remove_all(scratch.file("out"));
    const Words program = {HEARSAY_PROGRAM};
    StartedProgram first(program + run({"--shard", "1/3"}));
    StartedProgram second(program + run({"--shard", "2/3"}));
    StartedProgram third(program + run({"--shard", "3/3"}));
    for (StartedProgram* each : {&first, &second, &third}) {
      const ProgramRun ended = each->wait();
      EXPECT_EQ(ended.exit_code, 0) << ended.err;
    }
    expect_success({"merge", scratch.file("out"), "--out", scratch.file("out")});
    const Contents merged = contents(scratch, "out");
    for (const auto& [name, bytes] : whole) {
      EXPECT_EQ(merged.at(name), bytes) << name;
    }
  }
}

// Every combination of closed and full descriptors. The results are the same; only a standard
// output that cannot be written is a failure.
TEST_F(Hostile, ClosedOrFullStandardDescriptorsDoNotAffectTheResults) {
  expect_success(run());
  const Contents expected = contents(scratch, "out");
  for (const std::string in : {"", "0<&-"}) {
    for (const std::string out : {"", "1>&-", "1>/dev/full"}) {
      for (const std::string err : {"", "2>&-", "2>/dev/full"}) {
        fs::remove_all(scratch.file("out"));
        const ProgramRun ended =
            StartedProgram(Words{"/bin/sh", "-c", "exec \"$@\" " + in + " " + out + " " + err, "sh",
                                 HEARSAY_PROGRAM} +
                           run())
                .wait();
        EXPECT_EQ(ended.exit_code, out.empty() ? 0 : 1) << in << out << err << ended.err;
        EXPECT_EQ(contents(scratch, "out"), expected) << in << out << err;
      }
    }
  }
}

}  // namespace
}  // namespace hearsay
