// `hearsay evaluate`, called as a program, and the evaluation of a log in the user's units.

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"
#include "hearsay/report/html.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using Json = nlohmann::json;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchDirectory;

// Rewards in [0, 10]. Four decisions, of which one is forgotten and one has no feedback.
const std::string kHeader =
    R"({"hearsay_log": 1, "problem": {"names": ["a", "b"], "outcome": {"kind": "reward", "low": 0, "high": 10}, "graph": {"arcs": [["a", "b", 0.5], ["b", "a", 0.5]]}}})"
    "\n";
const std::string kRounds =
    R"({"decision": 1, "arm": "a", "probability": 0.5, "probabilities": [0.5, 0.5]})"
    "\n"
    R"({"decision": 2, "arm": "b", "probability": 0.75, "probabilities": [0.25, 0.75]})"
    "\n"
    R"({"feedback": 2, "outcome": 4, "readings": {"a": 6}})"
    "\n"
    R"({"decision": 3, "arm": "b", "probability": 0.5, "probabilities": [0.5, 0.5]})"
    "\n"
    R"({"forget": 3})"
    "\n"
    R"({"decision": 4, "arm": "b", "probability": 0.5, "probabilities": [0.5, 0.5]})"
    "\n"
    R"({"feedback": 1, "outcome": 8, "readings": {"b": 3}})"
    "\n";

Json evaluated(const std::vector<std::string>& arguments, const std::string& log) {
  std::vector<std::string> call = {"evaluate", "-", "--json"};
  call.insert(call.end(), arguments.begin(), arguments.end());
  const ProgramRun run = run_program(call, log);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return Json::parse(run.out);
}

TEST(EvaluateCommand, EstimatesInTheUnitsOfTheUser) {
  const Json all = evaluated({"--noise-bound", "1"}, kHeader + kRounds);
  EXPECT_EQ(all["rounds"], 2);
  EXPECT_EQ(all["without_feedback"], 2);
  EXPECT_EQ(all["outcome"], "reward");
  EXPECT_EQ(all["method"], "ivx");
  EXPECT_NEAR(all["logged"]["estimate"], 6, 1e-12);
  ASSERT_EQ(all["arms"].size(), 2);
  const Json& a = all["arms"][0];
  const Json& b = all["arms"][1];
  EXPECT_EQ(a["name"], "a");
  // Losses: a lost 0.2 at probability 1/2, b lost 0.6 at probability 3/4; two rounds.
  EXPECT_NEAR(a["methods"]["ips"]["estimate"], 10 - 10 * (0.2 / 0.5) / 2, 1e-12);
  EXPECT_NEAR(b["methods"]["ips"]["estimate"], 10 - 10 * (0.6 / 0.75) / 2, 1e-12);
  EXPECT_NEAR(a["methods"]["snips"]["estimate"], 8, 1e-12);
  EXPECT_NEAR(b["methods"]["snips"]["estimate"], 4, 1e-12);
  // With noise bound 1 and weight 1/2: gain 1, coverage 1/2. Of b: in the first feedback (decision
  // 2) the own loss 0.6 at coverage 3/4 + 1/8; in the second the observation 0.5 * 0.7 at coverage
  // 1/2 + 1/4.
  const double of_b = (0.6 / 0.875 + 0.35 / 0.75) / 2;
  EXPECT_NEAR(b["methods"]["ivx"]["estimate"], 10 - 10 * of_b, 1e-12);
  EXPECT_EQ(b["estimate"], b["methods"]["ivx"]["estimate"]);
  for (const Json& arm : all["arms"]) {
    EXPECT_EQ(arm["low"], arm["methods"]["ivx"]["low"]);
    for (const auto& [name, method] : arm["methods"].items()) {
      EXPECT_LE(method["low"].get<double>(), method["high"].get<double>()) << name;
      EXPECT_GE(method["low"].get<double>(), 0) << name;
      EXPECT_LE(method["high"].get<double>(), 10) << name;
      EXPECT_TRUE(method["bootstrap"].is_null()) << name;  // two rounds are too few
    }
  }
  const double best = std::max(a["estimate"].get<double>(), b["estimate"].get<double>());
  EXPECT_NEAR(all["logged"]["regret"]["ivx"]["estimate"], best - 6, 1e-12);
}

TEST(EvaluateCommand, PrintsATableAndWhatIsLeftOut) {
  const ProgramRun run =
      run_program({"evaluate", "-", "--learner", "exp3", "--rate", "0.1"}, kHeader + kRounds);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.out.rfind("mean reward of each arm over 2 rounds, with 95 % intervals, the best "
                          "first by ivx\n",
                          0),
            0U)
      << run.out;
  for (const char* word :
       {"snivx", "logged policy: 6", "regret per round to ", "exp3 by rejection (an appr"}) {
    EXPECT_NE(run.out.find(word), std::string::npos) << word << run.out;
  }
  EXPECT_NE(run.err.find("2 decisions have no feedback and are left out"), std::string::npos);
}

TEST(EvaluateCommand, SaysWhySideObservationsAreNotUsed) {
  const std::string log = kHeader + R"({"decision": 9, "arm": "a", "probability": 0.5})"
                                    "\n"
                                    R"({"feedback": 9, "outcome": 8, "readings": {"b": 3}})"
                                    "\n";
  const ProgramRun run = run_program({"evaluate", "-", "--json"}, log);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err,
            "hearsay: side observations are not used: decision 9: has no \"probabilities\", which "
            "side observations need\n");
  const Json all = Json::parse(run.out);
  EXPECT_EQ(all["method"], "ips");
  EXPECT_FALSE(all["arms"][0]["methods"].contains("ivx"));
  const ProgramRun strict = run_program({"evaluate", "-", "--side-observations", "required"}, log);
  EXPECT_EQ(strict.exit_code, 2);
  EXPECT_EQ(strict.err,
            "hearsay: standard input:3: decision 9: has no \"probabilities\", which side "
            "observations need\n");
  const ProgramRun learner = run_program({"evaluate", "-", "--learner", "exp3"}, log);
  EXPECT_EQ(learner.exit_code, 2);
  EXPECT_NE(learner.err.find("which playing a learner on the log needs"), std::string::npos);
}

TEST(EvaluateCommand, RefusesWrongCalls) {
  const ScratchDirectory scratch;
  struct Case {
    std::vector<std::string> arguments;
    std::string log;
    std::string what;
  };
  const std::string log = kHeader + kRounds;
  for (const auto& [arguments, input, what] : std::vector<Case>{
           {{"evaluate"}, log, "LOG"},
           {{"evaluate", scratch.file("none.jsonl")}, log, "none.jsonl: "},
           {{"evaluate", "-"}, "", "standard input"},
           {{"evaluate", "-"}, kHeader, "standard input: no round has feedback"},
           {{"evaluate", "-"}, log + "{\"x\": 1}\n", "standard input:9: "},
           {{"evaluate", "-", "--confidence", "1"}, log, "--confidence: is 1"},
           {{"evaluate", "-", "--confidence", "high"}, log, "--confidence: is 'high'"},
           {{"evaluate", "-", "--bootstrap", "-1"}, log, "--bootstrap: "},
           {{"evaluate", "-", "--noise-bound", "-1"}, log, "--noise-bound: is -1"},
           {{"evaluate", "-", "--side-observations", "maybe"}, log, "--side-observations: "},
           {{"evaluate", "-", "--learner", "exp4"}, log, "learner: 'exp4' is not known"},
           {{"evaluate", "-", "--learner", "hedge"}, log, "must be shown every true loss"},
           {{"evaluate", "-", "--learner", "exp3", "--threshold", "1"}, log, "--threshold: exp3"},
           {{"evaluate", "-", "--rate", "0.1"}, log, "--learner"},
       }) {
    const ProgramRun run = run_program(arguments, input);
    EXPECT_EQ(run.exit_code, 2) << what;
    EXPECT_NE(run.err.find(what), std::string::npos) << run.err << "expected: " << what;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(EvaluateCommand, WritesAReportButNeverOverTheLog) {
  if (!report_available()) {
    GTEST_SKIP() << "there is no page in this build";
  }
  const ScratchDirectory scratch;
  scratch.write("log.jsonl", kHeader + kRounds);
  const std::string log = scratch.file("log.jsonl");
  const std::string page = scratch.file("evaluation.html");
  const ProgramRun run = run_program({"evaluate", log, "--noise-bound", "1", "--report", page});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string text = read_file(page);
  EXPECT_NE(text.find("hearsay evaluate " + log + " --noise-bound 1\""), std::string::npos);
  EXPECT_NE(text.find("2 decisions have no feedback"), std::string::npos);
  const ProgramRun refused = run_program({"evaluate", log, "--report", log});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "hearsay: --report: is '" + log + "', which this call reads, expected another file\n");
  EXPECT_EQ(read_file(log), kHeader + kRounds);
}

}  // namespace
}  // namespace hearsay
