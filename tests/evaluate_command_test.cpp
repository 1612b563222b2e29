// `hearsay evaluate`, called as a program, and the evaluation of a log in the user's units.

#include <algorithm>
#include <array>
#include <cstdint>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"
#include "hearsay/learner/draw.h"
#include "hearsay/random/stream.h"
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

// These are the estimates and both kinds of limits, the mean of the logged policy and the regrets.
TEST(EvaluateCommand, WritesAllOutcomesWithTheSameNumberOfDecimals) {
  const ProgramRun run =
      run_program({"evaluate", HEARSAY_SOURCE_DIR "/examples/data/log.jsonl", "--learner", "exp3"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string table =
      run.out.substr(run.out.find("tiny\n"));  // without the caption, which has "95 %"
  const std::regex number(R"([-\d,]+\.(\d+))");
  std::set<std::size_t> decimals;
  std::size_t numbers = 0;
  for (std::sregex_iterator match(table.begin(), table.end(), number), end; match != end; ++match) {
    decimals.insert((*match)[1].str().size());
    ++numbers;
  }
  // Four arms by four methods with five numbers each, and six lines of three. The intervals are
  // some units wide.
  EXPECT_EQ(numbers, 4U * 4 * 5 + 6 * 3) << run.out;
  EXPECT_EQ(decimals, std::set<std::size_t>{1}) << run.out;
}

// Of an arm of probability 0.01 that was never played, inverse propensities estimate the best
// outcome.
TEST(EvaluateCommand, DoesNotListAnArmThatWasHardlyPlayedAsTheBest) {
  std::string log =
      R"({"hearsay_log": 1, "problem": {"names": ["rare", "good", "bad"], "outcome": {"kind": "reward", "low": 0, "high": 10}}})"
      "\n";
  for (int t = 1; t <= 200; ++t) {
    log += fmt::format(
        R"({{"decision": {0}, "arm": "{1}", "probability": {2}, "probabilities": [0.01, 0.5, 0.49]}})"
        "\n"
        R"({{"feedback": {0}, "outcome": {3}}})"
        "\n",
        t, t % 2 == 0 ? "good" : "bad", t % 2 == 0 ? 0.5 : 0.49, t % 2 == 0 ? 6 : 2);
  }
  const Json all = evaluated({}, log);
  EXPECT_EQ(all["arms"][0]["methods"]["ips"]["estimate"], 10);
  EXPECT_EQ(all["arms"][1].value("rank", 0), 1);
  EXPECT_EQ(all["arms"][2].value("rank", 0), 2);
  EXPECT_EQ(all["arms"][0].value("rank", 0), 3);
  EXPECT_EQ(all["logged"]["regret"]["ips"]["best"], "good");
  const std::string table = run_program({"evaluate", "-"}, log).out;
  EXPECT_LT(table.find("\ngood "), table.find("\nbad ")) << table;
  EXPECT_LT(table.find("\nbad "), table.find("\nrare ")) << table;
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
       {"snivx", "logged policy: 6", "regret per round against ", "exp3 by rejection (an appr"}) {
    EXPECT_NE(run.out.find(word), std::string::npos) << word << run.out;
  }
  EXPECT_NE(run.err.find("hearsay: warning: 2 decisions left out for lack of feedback: "),
            std::string::npos);
}

TEST(EvaluateCommand, PlaysALearnerOnEstimatedLosses) {
  const std::vector<std::string> call = {"evaluate", "-",      "--learner",
                                         "exp3",     "--play", "estimates"};
  const ProgramRun run = run_program(call, kHeader + kRounds);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("exp3 on estimated losses (an approximation): "), std::string::npos)
      << run.out;
  EXPECT_NE(run.out.find(", 2 of 2 rounds accepted\n"), std::string::npos) << run.out;
  std::vector<std::string> with_json = call;
  with_json.emplace_back("--json");
  const Json learner = Json::parse(run_program(with_json, kHeader + kRounds).out)["learner"];
  EXPECT_EQ(learner["approximation"], "estimates");
  EXPECT_EQ(learner["accepted"], 2);

  const ProgramRun without_learner =
      run_program({"evaluate", "-", "--play", "estimates"}, kHeader + kRounds);
  EXPECT_EQ(without_learner.exit_code, 2);
  EXPECT_NE(without_learner.err.find("--play requires --learner"), std::string::npos)
      << without_learner.err;
}

TEST(EvaluateCommand, SaysWhySideObservationsAreNotUsed) {
  const std::string log = kHeader + R"({"decision": 9, "arm": "a", "probability": 0.5})"
                                    "\n"
                                    R"({"feedback": 9, "outcome": 8, "readings": {"b": 3}})"
                                    "\n";
  const ProgramRun run = run_program({"evaluate", "-", "--json"}, log);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(
      run.err,
      "hearsay: warning: side observations are not used: decision 9: has no \"probabilities\", "
      "which side observations need\n");
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

// Which of the arms without a reading a log reports. Which arms have no reading in a round is
// settled before the draw.
enum class Missing : std::uint8_t { omitted, null_where_expected, null_everywhere };

constexpr std::array<double, 3> kMeans = {0.4, 0.55, 0.7};

// A log of the losses of three arms that show each other, each of which has no reading in three
// rounds of ten.
std::string log_with_missing_readings(Missing missing, const std::string& missing_readings) {
  const std::array<std::string, 3> names = {"n", "e", "s"};
  const std::vector<double> probabilities = {0.6, 0.3, 0.1};
  const auto weight = [](Arm one, Arm other) { return one + other == 1 ? 0.6 : 0.4; };
  std::string log = fmt::format(
      R"({{"hearsay_log": 1, "problem": {{"names": ["n", "e", "s"], "outcome": {{"kind": "loss"}}, )"
      R"("missing_readings": "{}", "graph": {{"arcs": [["n", "e", 0.6], ["n", "s", 0.4], )"
      R"(["e", "n", 0.6], ["e", "s", 0.4], ["s", "n", 0.4], ["s", "e", 0.4]]}}}}}})"
      "\n",
      missing_readings);
  const Stream draws(1, Purpose::draw);
  const Stream losses(1, Purpose::losses);
  const Stream noise(1, Purpose::noise);
  const Stream without_reading(1, Purpose::test);
  for (std::uint64_t t = 1; t <= 20000; ++t) {
    const Arm played = draw_arm(probabilities, draws.uniform(t));
    const auto loss = [&](Arm arm) { return losses.uniform(t, arm) < kMeans[arm] ? 1.0 : 0.0; };
    log += fmt::format(
        R"({{"decision": {}, "arm": "{}", "probability": {}, "probabilities": [0.6, 0.3, 0.1]}})"
        "\n",
        t, names[played], probabilities[played]);
    std::vector<std::string> readings;
    for (Arm arm = 0; arm < 3; ++arm) {
      const bool is_missing = without_reading.uniform(t, arm) < 0.3;
      if (!is_missing && arm != played) {
        const double s = weight(played, arm);
        const double error = (1 - s) / s * (2 * noise.uniform(t, arm) - 1);
        readings.push_back(fmt::format(R"("{}": {})", names[arm], loss(arm) + error));
      } else if (is_missing && (missing == Missing::null_everywhere ||
                                (missing == Missing::null_where_expected && arm != played))) {
        readings.push_back(fmt::format(R"("{}": null)", names[arm]));
      }
    }
    log += fmt::format(R"({{"feedback": {}, "outcome": {}, "readings": {{{}}}}})"
                       "\n",
                       t, loss(played), fmt::join(readings, ", "));
  }
  return log;
}

void expect_every_interval_to_hold_the_mean(const Json& evaluation) {
  for (std::size_t arm = 0; arm < kMeans.size(); ++arm) {
    for (const auto& [name, method] : evaluation["arms"][arm]["methods"].items()) {
      EXPECT_LE(method["low"].get<double>(), kMeans[arm]) << name << ", arm " << arm;
      EXPECT_GE(method["high"].get<double>(), kMeans[arm]) << name << ", arm " << arm;
    }
  }
}

TEST(EvaluateCommand, UsesNoSideObservationsIfNullsMayBeIncomplete) {
  struct Case {
    Missing missing;
    std::string missing_readings;
    std::vector<std::string> options;
    std::string reason;
  };
  const std::string omitted =
      "decision 1: has no reading of 's', so that what other arms would have shown is not known";
  for (const auto& [missing, missing_readings, options, reason] : std::vector<Case>{
           {Missing::omitted, "thin", {}, omitted},
           {Missing::omitted, "refuse", {}, omitted},
           {Missing::omitted, "thin", {"--nulls", "complete"}, omitted},
           {Missing::null_where_expected,
            "thin",
            {},
            "decision 1: has a null for 's', so that what other arms would have shown is not "
            "known unless the option nulls says that nulls are complete"},
       }) {
    const std::string log = log_with_missing_readings(missing, missing_readings);
    std::vector<std::string> arguments = {"--noise-bound", "1"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Json all = evaluated(arguments, log);
    EXPECT_EQ(all["without_side_observations"], reason);
    EXPECT_EQ(all["method"], "ips");
    EXPECT_FALSE(all["arms"][0]["methods"].contains("ivx"));
    expect_every_interval_to_hold_the_mean(all);
    arguments.insert(arguments.begin(), {"evaluate", "-", "--side-observations", "required"});
    const ProgramRun strict = run_program(arguments, log);
    EXPECT_EQ(strict.exit_code, 2);
    EXPECT_EQ(strict.err, "hearsay: standard input:3: " + reason + "\n");
  }
}

// The log itself cannot show that its nulls are complete: if the option says so wrongly, the
// intervals miss the means of all arms.
TEST(EvaluateCommand, IsBiasedIfNullsAreDeclaredCompleteButAreNot) {
  const Json all = evaluated({"--noise-bound", "1", "--nulls", "complete"},
                             log_with_missing_readings(Missing::null_where_expected, "thin"));
  ASSERT_EQ(all["method"], "ivx");
  for (std::size_t arm = 0; arm < kMeans.size(); ++arm) {
    EXPECT_LT(all["arms"][arm]["high"].get<double>(), kMeans[arm]);
  }
}

TEST(EvaluateCommand, UsesSideObservationsIfNullsAreDeclaredComplete) {
  const std::string log = log_with_missing_readings(Missing::null_everywhere, "thin");
  const Json all = evaluated(
      {"--noise-bound", "1", "--nulls", "complete", "--side-observations", "required"}, log);
  EXPECT_EQ(all["method"], "ivx");
  expect_every_interval_to_hold_the_mean(all);
  // The side observations add to the effective number of rounds.
  EXPECT_GT(all["arms"][2]["methods"]["ivx"]["effective_rounds"].get<double>(),
            1.5 * all["arms"][2]["methods"]["ips"]["effective_rounds"].get<double>());
}

TEST(EvaluateCommand, IgnoresReadingsWhateverTheyAre) {
  const std::string log = log_with_missing_readings(Missing::omitted, "refuse");
  const Json all = evaluated({"--side-observations", "ignored"}, log);
  EXPECT_EQ(all["rounds"], 20000);
  EXPECT_FALSE(all.contains("without_side_observations"));
  expect_every_interval_to_hold_the_mean(all);
  // A learner that is played on the log needs the readings.
  const ProgramRun learner = run_program({"evaluate", "-", "--learner", "exp3"}, log);
  EXPECT_EQ(learner.exit_code, 2);
  EXPECT_NE(learner.err.find("standard input:3: no reading of"), std::string::npos) << learner.err;
}

TEST(EvaluateCommand, RefusesWrongCalls) {
  const ScratchDirectory scratch;
  struct Case {
    std::vector<std::string> arguments;
    std::string log;
    std::string message;
  };
  const std::string log = kHeader + kRounds;
  for (const auto& [arguments, input, message] : std::vector<Case>{
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
           {{"evaluate", "-", "--learner", "exp4"}, log, "--learner: 'exp4' is not known"},
           {{"evaluate", "-", "--learner", "hedge"}, log, "must be shown every true loss"},
           {{"evaluate", "-", "--learner", "exp3", "--threshold", "1"},
            log,
            "--threshold: is given, but exp3"},
           {{"evaluate", "-", "--rate", "0.1"}, log, "--learner"},
       }) {
    const ProgramRun run = run_program(arguments, input);
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err << "expected: " << message;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(EvaluateCommand, WritesAReportButNeverOverTheLog) {
  if (!report_available()) {
    GTEST_SKIP() << "this build does not contain the page of the report";
  }
  const ScratchDirectory scratch;
  scratch.write("log.jsonl", kHeader + kRounds);
  const std::string log = scratch.file("log.jsonl");
  const std::string page = scratch.file("evaluation.html");
  const ProgramRun run = run_program({"evaluate", log, "--noise-bound", "1", "--report", page});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string text = read_file(page);
  EXPECT_NE(text.find("hearsay evaluate " + log + " --noise-bound 1\""), std::string::npos);
  EXPECT_NE(text.find("2 decisions left out for lack of feedback"), std::string::npos);
  const ProgramRun refused = run_program({"evaluate", log, "--report", log});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err,
            "hearsay: --report: is '" + log + "', which this call reads, expected another file\n");
  EXPECT_EQ(read_file(log), kHeader + kRounds);
}

}  // namespace
}  // namespace hearsay
