// `hearsay alpha` through the program: its JSON, the check of it, and what it refuses.

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

nlohmann::json parsed(const ProgramRun& run) {
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return nlohmann::json::parse(run.out);
}

void expect_refused(const ProgramRun& run, const std::string& what) {
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(run.err, "hearsay: " + what + "\n");
}

class AlphaCommand : public ::testing::Test {
 protected:
  AlphaCommand() {
    EXPECT_EQ(run_program({"graph", "make", "grid", "--side", "5", "-o", grid}).exit_code, 0);
  }

  ScratchDirectory scratch;
  std::string grid = scratch.file("grid.npy");
};

TEST_F(AlphaCommand, PrintsTheObjectOfTheContract) {
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
}

TEST_F(AlphaCommand, AtAThresholdAlone) {
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
}

TEST_F(AlphaCommand, ChecksWhatItPrinted) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{}, {"--at", "0.5"}, {"--time-limit", "0"}}) {
    std::vector<std::string> arguments = {"alpha", grid, "--json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    scratch.write("claim.json", run_program(arguments).out);
    const ProgramRun check = run_program({"alpha", "--check", scratch.file("claim.json"), grid});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    EXPECT_EQ(check.out.rfind("the witness holds", 0), 0U);
  }
}

TEST_F(AlphaCommand, RefusesFalseClaims) {
  const nlohmann::json good = parsed(run_program({"alpha", grid, "--json"}));
  const std::string file = scratch.file("claim.json");
  const auto refused = [&](const std::string& key, const nlohmann::json& value,
                           const std::string& what) {
    nlohmann::json bad = good;
    bad[key] = value;
    scratch.write("claim.json", bad.dump());
    expect_refused(run_program({"alpha", "--check", file, grid}), file + ": " + what);
  };
  refused("arms", 26, "arms: 26, expected 25, as the graph has");
  refused("witness", {0, 1, 4, 10, 12, 14, 20, 22, 24},
          "witness: weight(0, 1) is 1, expected less than the threshold 1");
  refused("witness", {0, 0}, "witness: arm 0 is there twice, expected each arm once");
  refused("witness", {25}, "witness: arm 25, expected arms 0 to 24");
  refused("witness", {0, 2}, "independence_number: 9, expected just 2, the size of the witness");
  refused("lower", 8, "lower: 8, expected just 9");
  refused("alpha_star", 8, "alpha_star: 8, expected 9, as upper");
  refused("upper", 10, "upper: 10, expected 9, by the independence number and the threshold");
  scratch.write("claim.json", "{}");
  EXPECT_EQ(run_program({"alpha", "--check", file, grid}).exit_code, 2);
}

TEST_F(AlphaCommand, RefusesWrongOptions) {
  expect_refused(run_program({"alpha", grid, "--at", "0"}), "--at: 0, expected a number in (0, 1]");
  expect_refused(run_program({"alpha", grid, "--noise-bound", "-1"}),
                 "--noise-bound: -1, expected a finite number from 0 on");
  expect_refused(run_program({"alpha", grid, "--time-limit", "-1"}),
                 "--time-limit: -1, expected seconds from 0 on");
  expect_refused(run_program({"alpha", grid, "--threads", "0"}),
                 "--threads: 0, expected at least 1");
}

TEST_F(AlphaCommand, AnEndBeforeTheEndLeavesAnIntervalThatHolds) {
  const nlohmann::json json = parsed(run_program({"alpha", grid, "--time-limit", "0", "--json"}));
  EXPECT_EQ(json.at("exact"), false);
  EXPECT_LE(json.at("lower").get<double>(), 9);
  EXPECT_GE(json.at("upper").get<double>(), 9);
  EXPECT_EQ(json.at("alpha_star"), json.at("upper"));
}

}  // namespace
}  // namespace hearsay
