// `hearsay alpha`, run as a program: its JSON, the check of that JSON, and the input that it
// refuses.

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"
#include "hearsay/graph/families.h"
#include "hearsay/graph/files.h"
#include "hearsay/report/html.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;

nlohmann::json parsed(const ProgramRun& run) {
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out);
}

void expect_refused(const ProgramRun& run, const std::string& message) {
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "hearsay: " + message + "\n");
}

class AlphaCommand : public ::testing::Test {
 protected:
  AlphaCommand() {
    EXPECT_EQ(run_program({"graph", "make", "grid", "--side", "5", "-o", grid}).exit_code, 0);
  }

  ScratchDirectory scratch;
  std::string grid = scratch.file("grid.npy");
};

TEST_F(AlphaCommand, PrintsTheDocumentedJsonObject) {
  const nlohmann::json json = parsed(run_program({"alpha", grid, "--json"}));
  EXPECT_EQ(json.at("arms"), 25);
  EXPECT_EQ(json.at("alpha_star"), 9.0);
  EXPECT_EQ(json.at("lower"), 9.0);
  EXPECT_EQ(json.at("upper"), 9.0);
  EXPECT_EQ(json.at("exact"), true);
  EXPECT_EQ(json.at("threshold"), 1.0);
  EXPECT_EQ(json.at("independence_number"), 9);
  EXPECT_EQ(json.at("witness"), (std::vector<int>{0, 2, 4, 10, 12, 14, 20, 22, 24}));
  EXPECT_TRUE(json.at("solves").is_number_unsigned());
  EXPECT_GE(json.at("seconds").get<double>(), 0);

  // 5 (1 + (2/3)^2 / 4) at the threshold 0.6, where 5 arms are independent.
  const nlohmann::json noisy =
      parsed(run_program({"alpha", grid, "--json", "--noise-bound", "0.5"}));
  EXPECT_EQ(noisy.at("alpha_star"), 9.0);
  EXPECT_NEAR(noisy.at("alpha_r").get<double>(), 50.0 / 9, 1e-12);
  EXPECT_EQ(noisy.at("alpha_r_lower"), noisy.at("alpha_r"));
  EXPECT_EQ(noisy.at("alpha_r_upper"), noisy.at("alpha_r"));
  EXPECT_EQ(noisy.at("alpha_r_threshold"), 0.6);
  EXPECT_EQ(noisy.at("alpha_r_witness").size(), 5U);
}

// JSON has all digits. 50 / 9 = 5.555...
TEST_F(AlphaCommand, PrintsFourDigitsAsText) {
  const ProgramRun run = run_program({"alpha", grid, "--noise-bound", "0.5"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\nalpha^R (R = 0.5)    5.556\n"), std::string::npos) << run.out;
  const ProgramRun json = run_program({"alpha", grid, "--noise-bound", "0.5", "--json"});
  EXPECT_NE(json.out.find("5.55555555555555"), std::string::npos) << json.out;
}

TEST_F(AlphaCommand, PrintsALineForEachThreshold) {
  const ProgramRun run = run_program({"alpha", grid, "--at", "0.5,0.6", "--at", "1", "--json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  std::istringstream lines(run.out);
  std::vector<int> numbers;
  for (std::string line; std::getline(lines, line);) {
    numbers.push_back(nlohmann::json::parse(line).at("independence_number").get<int>());
  }
  EXPECT_EQ(numbers, (std::vector<int>{5, 5, 9}));
  scratch.write("claims.json", run.out);
  const ProgramRun check = run_program({"alpha", "--check", scratch.file("claims.json"), grid});
  EXPECT_EQ(check.exit_code, 0) << check.err;
  EXPECT_EQ(std::ranges::count(check.out, '\n'), 6);
}

TEST_F(AlphaCommand, PrintsTheIndependenceNumberAtOneThreshold) {
  const nlohmann::json json = parsed(run_program({"alpha", grid, "--at", "0.5", "--json"}));
  EXPECT_EQ(json.at("threshold"), 0.5);
  EXPECT_EQ(json.at("independence_number"), 5);
  EXPECT_EQ(json.at("lower"), 5);
  EXPECT_EQ(json.at("upper"), 5);
  EXPECT_EQ(json.at("exact"), true);
  EXPECT_EQ(json.at("witness").size(), 5U);
  EXPECT_FALSE(json.contains("alpha_star"));
}

TEST_F(AlphaCommand, CliquesAreIndependentSetsOfTheComplement) {
  const std::string hamming = scratch.file("hamming.clq");
  EXPECT_EQ(
      run_program({"graph", "make", "hamming", "--length", "6", "--distance", "4", "-o", hamming})
          .exit_code,
      0);
  EXPECT_EQ(parsed(run_program({"alpha", hamming, "--complement", "--json"})).at("alpha_star"),
            4.0);
  expect_refused(run_program({"alpha", grid, "--complement"}),
                 grid + ": weight(0, 2) is 0.75, expected 0 or 1 for a complement");
  // Two arms are joined by an arc in either direction, so a path of four arms has cliques of two.
  scratch.write("path.csv", "played,seen,weight\n0,1,1\n1,2,1\n3,2,1\n");
  EXPECT_EQ(parsed(run_program({"alpha", scratch.file("path.csv"), "--complement", "--json"}))
                .at("alpha_star"),
            2.0);
}

TEST_F(AlphaCommand, VerifiesItsOwnOutput) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{},
                                                  {"--at", "0.5"},
                                                  {"--noise-bound", "0.5"},
                                                  {"--time-limit", "0"}}) {
    std::vector<std::string> arguments = {"alpha", grid, "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    scratch.write("claim.json", run_program(arguments).out);
    const ProgramRun check = run_program({"alpha", "--check", scratch.file("claim.json"), grid});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_EQ(check.err, "");
    EXPECT_NE(check.out, "");
    std::istringstream lines(check.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_NE(line.find(": verified ("), std::string::npos) << line;
    }
  }
}

TEST_F(AlphaCommand, PrintsEachClaimWithItsVerdict) {
  scratch.write("claim.json", run_program({"alpha", grid, "--json"}).out);
  EXPECT_EQ(run_program({"alpha", "--check", scratch.file("claim.json"), grid}).out,
            "alpha* >= 9: verified (by a chain of 4 independent sets)\n"
            "alpha(1) >= 9: verified (by the witness)\n"
            "alpha(1) <= 9: verified (by a cover of 9 cliques)\n"
            "alpha* <= 9: verified (by alpha(1) <= 9)\n");
}

TEST_F(AlphaCommand, RefusesFalseClaims) {
  const nlohmann::json good = parsed(run_program({"alpha", grid, "--json"}));
  const std::string file = scratch.file("claim.json");
  const auto expect_refusal = [&](const nlohmann::json& changes, const std::string& message) {
    nlohmann::json changed = good;
    changed.update(changes);
    scratch.write("claim.json", changed.dump());
    const ProgramRun run = run_program({"alpha", "--check", file, grid});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.err, "hearsay: " + file + message + "\n");
  };
  expect_refusal({{"arms", 26}}, ":1: arms: 26, expected 25, the number of arms of the graph");
  expect_refusal(
      {{"witness", {0, 1, 4, 10, 12, 14, 20, 22, 24}}},
      ": alpha(1) >= 9 is refuted: witness: weight(1, 0) is 1, expected less than the threshold 1");
  expect_refusal({{"witness", {0, 0}}}, ":1: witness: arm 0 appears twice, expected each arm once");
  expect_refusal({{"witness", {25}}}, ":1: witness: arm: 25, expected a whole number from 0 to 24");
  expect_refusal({{"witness", {4294967300, 2, 0, 10, 12, 14, 20, 22, 24}}},
                 ":1: witness: arm: 4294967300, expected a whole number from 0 to 24");
  expect_refusal({{"witness", {0, 2}}}, ":1: witness: 2 arms, expected 9");
  expect_refusal({{"lower", 8}}, ":1: exact: true, expected false, because the bounds differ");
  expect_refusal({{"alpha_star", 8}}, ":1: alpha_star: 8, expected 9, because of the bounds");
  expect_refusal({{"lower", 10}}, ":1: lower: 10, expected a number from 0 to 9");
  expect_refusal({{"alpha_start", 8}},
                 ":1: unknown key 'alpha_start', expected what --json prints");
  // Claims that a part of the witness is the largest set, with consistent bounds.
  expect_refusal({{"witness", {0, 2}},
                  {"independence_number", 2},
                  {"independence_lower", 2},
                  {"independence_upper", 2},
                  {"alpha_star", 2},
                  {"lower", 2},
                  {"upper", 2}},
                 ": alpha(1) <= 2 is refuted: there are 3 independent arms");
  expect_refusal({{"alpha_star", 1}, {"lower", 1}, {"upper", 1}},
                 ": alpha* <= 1 is refuted: 9 independent arms at the threshold 1 give 9");
  // A lower bound that is too large.
  expect_refusal(
      {{"alpha_star", 12}, {"lower", 12}, {"upper", 12}},
      ": alpha* >= 12 is refuted: at the threshold 0.75 there are no 7 independent arms");
  for (const char* const text : {"{}", "", "[]", "3", "not JSON", "[[[[[[[[[[]]]]]]]]]]"}) {
    scratch.write("claim.json", text);
    const ProgramRun run = run_program({"alpha", "--check", file, grid});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

TEST_F(AlphaCommand, RefusesFalseClaimsAboutNoise) {
  const std::string file = scratch.file("claim.json");
  nlohmann::json claim = parsed(run_program({"alpha", grid, "--json", "--noise-bound", "0.5"}));
  claim["noise_bound"] = 0.6;
  scratch.write("claim.json", claim.dump());
  const ProgramRun run = run_program({"alpha", "--check", file, grid});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.err.rfind("hearsay: " + file + ": alpha^R <= 5.5", 0), 0U) << run.err;
}

TEST_F(AlphaCommand, NamesTheClaimsThatItCouldNotCheckInTime) {
  // The bound is right, but only a search could prove it.
  nlohmann::json claim = parsed(run_program({"alpha", grid, "--at", "1", "--json"}));
  claim["cover"] = nlohmann::json::array();
  scratch.write("claim.json", claim.dump());
  const std::string file = scratch.file("claim.json");
  const ProgramRun unlimited = run_program({"alpha", "--check", file, grid});
  EXPECT_EQ(unlimited.exit_code, 0);
  EXPECT_NE(unlimited.out.find("alpha(1) <= 9: verified (by a search)\n"), std::string::npos);
  const ProgramRun without_time =
      run_program({"alpha", "--check", file, grid, "--time-limit", "0"});
  EXPECT_EQ(without_time.exit_code, 1);
  EXPECT_NE(without_time.out.find("alpha(1) <= 9: not verified ("), std::string::npos)
      << without_time.out;
  EXPECT_EQ(without_time.err, "hearsay: " + file + ": 1 of 2 claims are not verified\n");
}

TEST_F(AlphaCommand, RefusesWrongOptions) {
  expect_refused(run_program({"alpha", grid, "--at", "0"}), "--at: 0, expected a number in (0, 1]");
  expect_refused(run_program({"alpha", grid, "--at", "0.5,,0.7"}), "--at: '', expected a number");
  expect_refused(run_program({"alpha", grid, "--noise-bound", "-1"}),
                 "--noise-bound: -1, expected a finite number from 0 on");
  expect_refused(run_program({"alpha", grid, "--time-limit", "-1"}),
                 "--time-limit: -1, expected seconds from 0 on");
  for (const char* const threads : {"0", "4097", "4294967296", "-1", "two", "1.5"}) {
    expect_refused(run_program({"alpha", grid, std::string("--threads=") + threads}),
                   fmt::format("--threads: '{}', expected a whole number from 1 to 4096", threads));
  }
}

TEST_F(AlphaCommand, WritesAReportButDoesNotOverwriteTheGraph) {
  if (!report_available()) {
    GTEST_SKIP() << "this build does not contain the page of the report";
  }
  const std::string page = scratch.file("alpha.html");
  ASSERT_EQ(run_program({"alpha", grid, "--noise-bound", "0.5", "--report", page}).exit_code, 0);
  const std::string text = read_file(page);
  EXPECT_NE(text.find("\"9, exact\""), std::string::npos);
  EXPECT_NE(text.find("hearsay alpha " + grid + " --noise-bound 0.5\""), std::string::npos);
  const std::string before = read_file(grid);
  expect_refused(run_program({"alpha", grid, "--report", grid}),
                 "--report: is '" + grid + "', which this call reads, expected another file");
  EXPECT_EQ(read_file(grid), before);
}

TEST_F(AlphaCommand, PrintsTheFirstBoundsIfThereIsNoTimeForASearch) {
  // Random weights: the first bounds leave an interval.
  const std::string large = scratch.file("large.npy");
  write_graph(make_uniform({.arms = 81}, Stream(1, Purpose::graph)), large);
  const double exact = parsed(run_program({"alpha", large, "--json"})).at("alpha_star");
  const nlohmann::json json = parsed(run_program({"alpha", large, "--time-limit", "0", "--json"}));
  EXPECT_EQ(json.at("exact"), false);
  EXPECT_GT(json.at("lower").get<double>(), 1);
  EXPECT_LE(json.at("lower").get<double>(), exact);
  EXPECT_GE(json.at("upper").get<double>(), exact);
  EXPECT_LT(json.at("upper").get<double>(), 81);  // the number of arms, with self weights 1
  EXPECT_EQ(json.at("alpha_star"), nullptr);
  const nlohmann::json number =
      parsed(run_program({"alpha", large, "--time-limit", "0", "--at", "0.5", "--json"}));
  EXPECT_GT(number.at("lower").get<double>(), 1);
  EXPECT_LT(number.at("upper").get<double>(), 81);
}

}  // namespace
}  // namespace hearsay
