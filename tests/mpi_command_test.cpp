// hearsay-mpi, run by mpirun. A build without MPI does not have these tests.

#ifdef HEARSAY_MPI_PROGRAM

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/program.h"
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

std::vector<std::string> mpirun(int ranks, const std::vector<std::string>& arguments) {
  std::vector<std::string> all = {"mpirun", "--allow-run-as-root", "--oversubscribe",
                                  "-n",     std::to_string(ranks), HEARSAY_MPI_PROGRAM};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return all;
}

TEST(MpiCommand, GivesTheBytesOfASingleProcess) {
  const ScratchDirectory scratch;
  scratch.write("small.toml", kSmallExperiment);
  const auto call = [&](const std::string& out) {
    return std::vector<std::string>{"run", scratch.file("small.toml"), "--out", scratch.file(out)};
  };
  ASSERT_EQ(run_program(call("single")).exit_code, 0);
  for (const int ranks : {1, 2, 3}) {
    const std::string out = fmt::format("mpi-{}", ranks);
    const ProgramRun run = StartedProgram(mpirun(ranks, call(out))).wait();
    EXPECT_EQ(run.exit_code, 0) << run.err;
    for (const char* name :
         {"results.csv", "summary.csv", "ranking.csv", "experiment.toml", "report.html"}) {
      EXPECT_EQ(scratch.read(out + "/" + name), scratch.read(std::string("single/") + name))
          << name << " of " << ranks;
    }
    EXPECT_EQ(nlohmann::json::parse(scratch.read(out + "/run.json"))["threads"], ranks);
  }
  const ProgramRun planned =
      StartedProgram(mpirun(3, {"run", scratch.file("small.toml"), "--dry-run", "--json"})).wait();
  EXPECT_EQ(nlohmann::json::parse(planned.out)["threads"], 3) << planned.err;
  const ProgramRun wrong = StartedProgram(mpirun(2, {"run", scratch.file("absent.toml")})).wait();
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("absent.toml: No such file"), std::string::npos) << wrong.err;
}

// The points of a unit take some megabytes, which are several pieces.
TEST(MpiCommand, SendsLargeResultsInPieces) {
  const ScratchDirectory scratch;
  scratch.write("small.toml", kSmallExperiment);
  const auto call = [&](const std::string& out) {
    return std::vector<std::string>{"run",
                                    scratch.file("small.toml"),
                                    "--quiet",
                                    "--set",
                                    "environment.horizon=20000",
                                    "--set",
                                    "points=20000",
                                    "--set",
                                    "learners=[{learner='exp3'}]",
                                    "--out",
                                    scratch.file(out)};
  };
  ASSERT_EQ(run_program(call("single")).exit_code, 0);
  const ProgramRun run = StartedProgram(mpirun(2, call("mpi"))).wait();
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(scratch.read("mpi/results.csv"), scratch.read("single/results.csv"));
}

// The processes that run hearsay-mpi with `out` in their arguments.
std::vector<int> running_ranks(const std::string& out) {
  std::vector<int> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos) {
      std::ifstream file(entry.path() / "cmdline", std::ios::binary);
      std::string call;
      std::getline(file, call);  // stays empty if the process has just ended
      if (call.starts_with(HEARSAY_MPI_PROGRAM) && call.find(out) != std::string::npos) {
        found.push_back(std::stoi(name));
      }
    }
  }
  std::ranges::sort(found);
  return found;
}

// Waits until mpirun and its ranks have ended. mpirun may end first, while a rank still has the
// lock of the output directory.
ProgramRun wait_for_all(StartedProgram& program, const std::string& out) {
  ProgramRun ended = program.wait();
  while (!running_ranks(out).empty()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return ended;
}

bool are_all_working(const std::string& out) {
  return fs::exists(checkpoint_in(out) + "/units") && running_ranks(out).size() == 3;
}

TEST(MpiCommand, LeavesACheckpointThatASingleProcessResumesWhenARankDies) {
  const ScratchDirectory scratch;
  scratch.write("small.toml", kSmallExperiment);
  const std::string out = scratch.file("mpi");
  const auto call = [&](const std::string& name) {
    return std::vector<std::string>{
        "run",   scratch.file("small.toml"), "--quiet", "--set", "environment.horizon=100000",
        "--out", scratch.file(name)};
  };
  StartedProgram program(mpirun(3, call("mpi")));
  program.wait_until([&] { return are_all_working(out); });
  ::kill(running_ranks(out).back(), SIGKILL);
  const ProgramRun ended = wait_for_all(program, out);
  EXPECT_NE(ended.exit_code, 0);
  EXPECT_NE(ended.err.find("Killed"), std::string::npos) << ended.err;
  EXPECT_FALSE(fs::exists(out + "/results.csv"));

  ASSERT_EQ(run_program(call("single")).exit_code, 0);
  const ProgramRun resumed =
      run_program({"run", out + "/experiment.toml", "--out", out, "--resume", "--quiet"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(scratch.read("mpi/results.csv"), scratch.read("single/results.csv"));
}

// The ranks of the job that catch SIGTERM: rank 0 alone does.
std::vector<int> ranks_that_catch_signals(const std::string& out) {
  std::vector<int> ranks = running_ranks(out);
  std::erase_if(ranks, [](int rank) { return !catches(rank, SIGTERM); });
  return ranks;
}

// Open MPI passes a signal on to all ranks if mpirun gets it. A rank may end later than mpirun.
TEST(MpiCommand, StopsOnASignalToMpirunOrToRank0AndIsResumedToTheSameBytes) {
  const ScratchDirectory scratch;
  scratch.write("small.toml", kSmallExperiment);
  // mpirun takes up to a second to end its ranks: the run must take several.
  const auto call = [&](const std::string& name) {
    return std::vector<std::string>{
        "run",   scratch.file("small.toml"), "--quiet", "--set", "environment.horizon=400000",
        "--out", scratch.file(name)};
  };
  ASSERT_EQ(run_program(call("single")).exit_code, 0);
  for (const bool to_mpirun : {false, true}) {
    const std::string name = to_mpirun ? "signal to mpirun" : "signal to rank 0";
    const std::string out = scratch.file(name);
    StartedProgram program(mpirun(3, call(name)));
    program.wait_until([&] {
      return running_ranks(out).size() == 3 && ranks_that_catch_signals(out).size() == 1;
    });
    ::kill(to_mpirun ? program.id() : ranks_that_catch_signals(out).front(), SIGTERM);
    const ProgramRun ended = wait_for_all(program, out);
    EXPECT_NE(ended.exit_code, 0) << name;
    EXPECT_FALSE(fs::exists(out + "/results.csv")) << name;
    if (!to_mpirun) {
      EXPECT_NE(ended.err.find("continue with: hearsay run"), std::string::npos) << ended.err;
    }
    const ProgramRun resumed =
        run_program({"run", out + "/experiment.toml", "--out", out, "--resume", "--quiet"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
    EXPECT_EQ(scratch.read(name + "/results.csv"), scratch.read("single/results.csv")) << name;
  }
}

}  // namespace
}  // namespace hearsay

#endif
