// The command `hearsay reproduce`, called as a program, at its quick scale.

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/report/html.h"
#include "tests/program.h"

namespace hearsay {
namespace {

namespace fs = std::filesystem;
using testing::checkpoint_in;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;
using testing::StartedProgram;

class ReproduceCommand : public ::testing::Test {
 protected:
  std::vector<std::string> call(const std::string& out, std::vector<std::string> more) const {
    more.insert(more.begin(), {"reproduce", "--quick", "--quiet", "--out", scratch.file(out)});
    return more;
  }
  ProgramRun reproduce(const std::string& out, std::vector<std::string> more = {}) const {
    return run_program(call(out, std::move(more)));
  }

  // All files by name, with their contents, apart from those in .hearsay. run.json, which differs
  // between equal runs, must be there.
  std::map<std::string, std::string> files(const std::string& out) const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(scratch.file(out))) {
      if (entry.is_regular_file()) {
        const std::string name = fs::relative(entry, scratch.file(out)).string();
        found[name] = scratch.read(fmt::format("{}/{}", out, name));
      }
    }
    EXPECT_EQ(found.erase("run.json"), 1U);
    return found;
  }

  ScratchDirectory scratch;
};

void expect_same_files(const std::map<std::string, std::string>& files,
                       const std::map<std::string, std::string>& expected) {
  ASSERT_EQ(files.size(), expected.size());
  for (const auto& [name, bytes] : expected) {
    ASSERT_TRUE(files.contains(name)) << name;
    EXPECT_TRUE(files.at(name) == bytes) << name << " differs";
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  return lines;
}

// Runs once on one thread without a stop, and once on two threads with a stop in every part.
TEST_F(ReproduceCommand, EndsWithTheSameBytesWhetherStoppedOrNot) {
  const ProgramRun whole = reproduce("whole", {"--threads", "1"});
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(whole.err, "");
  const std::map<std::string, std::string> expected = files("whole");

  ProgramRun last;
  for (const char* checkpoint : {"random-graphs.solved", "comparison/units", "rates/units"}) {
    std::vector<std::string> arguments = call("stopped", {"--threads", "2", "--resume"});
    arguments.insert(arguments.begin(), HEARSAY_PROGRAM);
    StartedProgram program(arguments);
    // The checkpoint of a part is written when the part begins, that of graphs after two seconds or
    // at their end.
    program.wait_until(
        [&] { return fs::exists(checkpoint_in(scratch.file("stopped")) + "/" + checkpoint); });
    program.signal(SIGINT);
    last = program.wait();
    ASSERT_EQ(last.exit_code, 1) << last.err;
    EXPECT_NE(
        last.err.find("what is done is kept; continue with: hearsay reproduce --quick --seed 1"),
        std::string::npos)
        << last.err;
    EXPECT_EQ(lines_of(last.err).size(), 1U) << last.err;
    EXPECT_EQ(last.out, "");
    EXPECT_FALSE(fs::exists(scratch.file("stopped/claims.json")));
  }
  // It continues only with --resume.
  const ProgramRun refused = reproduce("stopped");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("expected the option resume"), std::string::npos) << refused.err;

  const ProgramRun resumed = reproduce("stopped", {"--threads", "2", "--resume"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_same_files(files("stopped"), expected);

  // The names of the files, and what was printed.
  std::vector<std::string> names;
  std::ranges::transform(expected, std::back_inserter(names),
                         [](const auto& file) { return file.first; });
  std::vector<std::string> expected_names = {"claims.json",
                                             "experiment-certificates.toml",
                                             "experiment-comparison-noisy.toml",
                                             "experiment-comparison.toml",
                                             "experiment-rates.toml",
                                             "experiment.toml",
                                             "grid.csv",
                                             "random-graphs.csv",
                                             "results.csv",
                                             "summary.csv"};
  if (report_available()) {
    expected_names.insert(expected_names.begin() + 8, "report.html");
  }
  EXPECT_EQ(names, expected_names);
  const nlohmann::json claims = nlohmann::json::parse(expected.at("claims.json"));
  ASSERT_EQ(claims.size(), 24U);
  std::map<std::string, std::size_t> verdicts;
  for (const nlohmann::json& claim : claims) {
    ASSERT_EQ(claim.size(), 4U);
    EXPECT_FALSE(claim.at("claim").get<std::string>().empty());
    EXPECT_FALSE(claim.at("paper").get<std::string>().empty());
    EXPECT_TRUE(claim.at("measured").get<std::string>().ends_with("(quick)"));
    const auto verdict = claim.at("verdict").get<std::string>();
    EXPECT_TRUE(verdict == "holds" || verdict == "holds in part" || verdict == "does not hold")
        << verdict;
    EXPECT_NE(whole.out.find(verdict), std::string::npos);
    ++verdicts[verdict];
  }
  const std::string summary =
      fmt::format("\n{} claim{}, {} hold{} in part, {} do{} not\n", verdicts["holds"],
                  verdicts["holds"] == 1 ? " holds" : "s hold", verdicts["holds in part"],
                  verdicts["holds in part"] == 1 ? "s" : "", verdicts["does not hold"],
                  verdicts["does not hold"] == 1 ? "es" : "");
  EXPECT_NE(whole.out.find(summary), std::string::npos) << summary << whole.out;
  EXPECT_EQ(lines_of(expected.at("random-graphs.csv")).size(), 1U + 3 * 10 * 20);
  EXPECT_EQ(lines_of(expected.at("grid.csv")).size(), 1U + 2 * 14);
  // The cells of the comparison: exp3 has 3, exp3-ixb and exp3-ixt 6 thresholds each at 3 rates,
  // exp3-wix 3 and 1 with tuning sharp, exp3-ivx 3, exp3-ivc and tsallis-ivc 1 each; all at two
  // noise bounds, for one sequence and for all. Then 5 learners at 5 rates and exp3-ivc, and 6
  // learners with a certificate.
  EXPECT_EQ(lines_of(expected.at("summary.csv")).size(),
            1U + 4 * (3 + 36 + 3 + 1 + 3 + 2) + 26 + 6);
  EXPECT_EQ(lines_of(whole.out).back(),
            report_available()
                ? fmt::format("The report: {}", scratch.file("whole/report.html"))
                : fmt::format("The results: {} (no report.html: built without the page)",
                              scratch.file("whole")));

  // The experiment files it wrote can be run, and give the rows of the first sequence.
  ASSERT_EQ(run_program({"run", scratch.file("whole/experiment-comparison.toml"), "--set",
                         "sequences=1", "--out", scratch.file("run"), "--quiet"})
                .exit_code,
            0);
  const std::vector<std::string> run = lines_of(scratch.read("run/summary.csv"));
  const std::vector<std::string> reproduced = lines_of(expected.at("summary.csv"));
  for (std::size_t i = 1; i < run.size(); ++i) {
    EXPECT_EQ(reproduced[i], "comparison,1," + run[i]);
  }

  // A second time there is nothing left to do.
  const ProgramRun again = reproduce("whole", {"--resume"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_NE(again.err.find("is finished already"), std::string::npos) << again.err;
}

TEST_F(ReproduceCommand, RunsThePartsThatAreNamed) {
  const ProgramRun grid = reproduce("grid", {"grid", "grid"});
  ASSERT_EQ(grid.exit_code, 0) << grid.err;
  EXPECT_EQ(nlohmann::json::parse(scratch.read("grid/claims.json")).size(), 2U);
  EXPECT_TRUE(fs::exists(scratch.file("grid/grid.csv")));
  EXPECT_FALSE(fs::exists(scratch.file("grid/random-graphs.csv")));
  EXPECT_FALSE(fs::exists(scratch.file("grid/results.csv")));

  // The results of another seed do not replace these without --force.
  const std::map<std::string, std::string> before = files("grid");
  const ProgramRun other = reproduce("grid", {"grid", "--seed", "2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_NE(other.err.find("of another experiment"), std::string::npos) << other.err;
  expect_same_files(files("grid"), before);
  EXPECT_EQ(reproduce("grid", {"grid", "--seed", "2", "--force"}).exit_code, 0);
  EXPECT_NE(files("grid").at("experiment.toml"), before.at("experiment.toml"));
}

TEST_F(ReproduceCommand, IsNotFinishedIfAFileWasDeleted) {
  ASSERT_EQ(reproduce("out", {"grid"}).exit_code, 0);
  const std::map<std::string, std::string> before = files("out");
  for (const char* name : {"grid.csv", "claims.json"}) {
    fs::remove(scratch.file(std::string("out/") + name));
    EXPECT_EQ(reproduce("out", {"grid", "--resume"}).exit_code, 0);
    expect_same_files(files("out"), before);
  }
}

TEST_F(ReproduceCommand, NamesWrongOptions) {
  EXPECT_EQ(reproduce("out", {"grids"}).err, "hearsay: reproduce: 'grids', expected 'grid'\n");
  EXPECT_EQ(reproduce("out", {"grid", "everything"}).err,
            "hearsay: reproduce: 'everything', expected one of random-graphs, grid, comparison, "
            "worlds\n");
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"grids"},
                                             {"--large"},
                                             {"--resume", "--force"},
                                             {"--seed", "x"},
                                             {"--threads", "0"},
                                             {"--fast"}}) {
    const ProgramRun run = reproduce("out", wrong);
    EXPECT_EQ(run.exit_code, 2) << wrong.front();
    EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
  }
  EXPECT_FALSE(fs::exists(scratch.file("out")));
  scratch.write("file", "");
  EXPECT_EQ(reproduce("file/out", {"grid"}).exit_code, 2);
}

}  // namespace
}  // namespace hearsay
