// `hearsay replay`, run as a program.

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "hearsay/base/bytes.h"
#include "hearsay/problem/problem.h"
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
  // An observation of 1.5 at weight 0.5, which contradicts the noise bound.
  const std::string noisy = kLog + "{\"arm\": 0, \"observations\": [0.5, 1.5]}\n";
  const ProgramRun cost = run_program({"replay", "-", "--learner", "exp3-ivc", "--lenient"}, noisy);
  EXPECT_TRUE(last_line(cost.out)["bound"].is_null());
  EXPECT_TRUE(last_line(cost.out)["bounds"]["entropic"].is_null());
  EXPECT_EQ(last_line(cost.out)["failures"]["entropic"],
            "round 3: an observation was out of range");
  EXPECT_TRUE(last_line(cost.out)["bounds"]["realised"].is_number());
  EXPECT_TRUE(cost.err.find("is wrong, and there is no bound on the regret; ") != std::string::npos)
      << cost.err;
  const ProgramRun ada =
      run_program({"replay", "-", "--learner", "exp3-ivc", "--tuning", "ada", "--lenient"}, noisy);
  EXPECT_TRUE(last_line(ada.out)["bound"].is_number());
  EXPECT_TRUE(ada.err.find("the noise bound or a weight is wrong; ") != std::string::npos)
      << ada.err;
  // An observation of 1.5 at weight 1, which contradicts the model.
  const auto impossible =
      last_line(run_program({"replay", "-", "--learner", "exp3-ivc", "--lenient"},
                            kLog + "{\"arm\": 1, \"observations\": [null, 1.5]}\n")
                    .out);
  for (const auto& [name, bound] : impossible["bounds"].items()) {
    EXPECT_TRUE(bound.is_null()) << name;
    EXPECT_EQ(impossible["failures"][name], "round 3: an observation of weight 1 was not in [0, 1]")
        << name;
  }
  const auto share =
      last_line(run_program({"replay", "-", "--learner", "exp3-ivc-share"}, kLog).out);
  EXPECT_GT(share["bounds"]["tracking_per_switch"], 0);
  EXPECT_FALSE(share.contains("conditions"));
}

TEST(ReplayCommand, PrintsTheConditionsOfEveryBoundIfRequested) {
  const auto line =
      last_line(run_program({"replay", "-", "--confidence", "0.9", "--conditions"}, kLog).out);
  EXPECT_EQ(line["bounds"].size(), line["conditions"].size());
  for (const auto& [name, value] : line["bounds"].items()) {
    EXPECT_TRUE(line["conditions"].contains(name)) << name;
    EXPECT_NE(line["conditions"][name], "") << name;
  }
  EXPECT_EQ(line["conditions"]["realised"].get<std::string>().rfind("the rate never rises", 0), 0U);
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
  EXPECT_NE(lenient.err.find("hearsay: warning: 1 observation out of range: "), std::string::npos);
  EXPECT_NE(lenient.out.find("\"bound\": null"), std::string::npos);
}

TEST(ReplayCommand, UsesTheDefaultLearnerIfNoneIsNamed) {
  const ProgramRun unnamed = run_program({"replay", "-"}, kLog);
  EXPECT_EQ(unnamed.exit_code, 0) << unnamed.err;
  EXPECT_EQ(unnamed.out, run_program({"replay", "-", "--learner", "exp3-ivc", "--tuning", "ada",
                                      "--noise", "learned"},
                                     kLog)
                             .out);
}

TEST(ReplayCommand, RefusesWrongCalls) {
  const ScratchDirectory scratch;
  scratch.write("empty.jsonl", "");
  struct Case {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const auto& [arguments, message] : std::vector<Case>{
           {{"replay"}, "LOG"},
           {{"replay", "-", "--learner", "exp4"}, "--learner: 'exp4' is not known"},
           {{"replay", "-", "--learner", "exp3", "--rate", "fast"}, "--rate: "},
           {{"replay", "-", "--learner", "exp3", "--rate", "0"}, "rate: is 0"},
           {{"replay", "-", "--learner", "exp3", "--rate", "nan"}, "rate: is nan"},
           {{"replay", "-", "--learner", "exp3", "--exploration", "-1"}, "exploration: is -1"},
           {{"replay", "-", "--learner", "exp3", "--exploration", "x"}, "--exploration: "},
           {{"replay", "-", "--learner", "exp3", "--threshold", "0.5"},
            "--threshold: is given, but exp3 has no"},
           {{"replay", "-", "--learner", "exp3-ixt"}, "--threshold: is missing"},
           {{"replay", "-", "--learner", "exp3-ixt", "--threshold", "2"}, "threshold: is 2"},
           {{"replay", "-", "--learner", "exp3-ixt", "--threshold", "x"}, "--threshold: is 'x'"},
           {{"replay", "-", "--learner", "exp3-wix", "--delta", "0"}, "delta: is 0"},
           {{"replay", "-", "--learner", "exp3-wix", "--tuning", "best"}, "--tuning: "},
           {{"replay", "-", "--learner", "exp3-ivx", "--tuning", "sharp"},
            "tuning: is given, but exp3-ivx has no"},
           {{"replay", "-", "--learner", "exp3", "--noise-bound", "-1"}, "--noise-bound: is -1"},
           {{"replay", "-", "--learner", "exp3", "--confidence", "1"}, "--confidence: is 1"},
           {{"replay", "-", "--learner", "exp3", "--confidence", "1e"},
            "--confidence: '1e', expected a number"},
           {{"replay", "-", "--learner", "exp3", "--noise", "learned"},
            "--noise: is given, but exp3 has no such parameter"},
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
    EXPECT_EQ(run.exit_code, 2) << message;
    EXPECT_EQ(run.err.rfind("hearsay: ", 0), 0U) << run.err;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err << "expected: " << message;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

TEST(ReplayCommand, CountsReadingsOutOfRangeAndEndsBoundsWithUnreportedOnes) {
  for (const std::string learner : {"exp3-wix", "ucb-n"}) {
    const ScratchDirectory scratch;
    const std::string path = scratch.file("log.jsonl");
    {
      Problem problem({.names = {"a", "b"},
                       .outcome = {.kind = OutcomeKind::loss, .low = 0, .high = 1},
                       .graph = Graph::sparse(2, {{0, 1, 0.9}, {1, 0, 0.9}}),
                       .noise_bound = 1,
                       .learner = {.name = learner},
                       .missing_readings = MissingReadings::thin},
                      path);
      for (const std::optional<double> reading : {std::optional(0.5), std::optional(9.0), {}}) {
        const Choice choice = problem.choose();
        NamedReadings readings;
        if (reading) {
          readings[choice.name == "a" ? "b" : "a"] = *reading;
        }
        problem.tell(choice, 0.5, readings);
      }
    }
    const ProgramRun run = run_program({"replay", path, "--conditions"});
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_EQ(run.err,
              "hearsay: warning: 1 observation out of range: the noise bound or a weight is wrong, "
              "and there is no bound on the regret; `hearsay calibrate` finds them from pairs of "
              "readings and outcomes\n")
        << learner;
  }
}

// Writes the log of a problem and returns its lines, parsed.
std::vector<nlohmann::json> write_problem_log(const std::string& path) {
  {
    Problem problem({.names = {"a", "b", "c"},
                     .outcome = {.low = 0, .high = 50},
                     .graph = Graph::sparse(3, {{0, 1, 0.5}, {2, 0, 0.25}}),
                     .noise_bound = 1,
                     .learner = {.name = "exp3-wix"},
                     .missing_readings = MissingReadings::thin},
                    path);
    Choice late = problem.choose();
    for (int t = 0; t < 12; ++t) {
      const std::vector<std::string> available = {"a", "b"};
      const Choice choice = t == 7 ? problem.choose(available) : problem.choose();
      // "a" shows "b", "c" shows "a", and the reading that "b" has is not needed.
      const std::map<std::string, std::string> read = {{"a", "b"}, {"b", "c"}, {"c", "a"}};
      problem.tell(late, 20 + t, {{read.at(late.name), 30}});
      late = choice;
    }
  }
  std::vector<nlohmann::json> lines;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) {
    lines.push_back(nlohmann::json::parse(line));
  }
  return lines;
}

TEST(ReplayCommand, ReadsTheLogOfAProblemWithTheLearnerOfTheLog) {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("log.jsonl");
  const std::vector<nlohmann::json> log = write_problem_log(path);
  const ProgramRun run = run_program({"replay", path});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  // The probabilities printed at the feedback of a decision are those that the log has of its draw.
  std::map<int, nlohmann::json> drawn;
  std::istringstream printed(run.out);
  int rounds = 0;
  for (const nlohmann::json& line : log) {
    if (line.contains("decision")) {
      drawn[line["decision"].get<int>()] = line["probabilities"];
    } else if (line.contains("feedback")) {
      std::string text;
      ASSERT_TRUE(std::getline(printed, text));
      const auto round = nlohmann::json::parse(text);
      EXPECT_EQ(round["t"], ++rounds);
      EXPECT_EQ(round["probabilities"], drawn.at(line["feedback"].get<int>()));
    }
  }
  EXPECT_EQ(rounds, 12);
  const auto last = last_line(run.out);
  EXPECT_TRUE(last["bound"].is_null());
  EXPECT_EQ(last["failures"]["paper"], "round 9: some arms were not available");

  // The learner or one of its parameters may be another one.
  const auto wix = last_line(run_program({"replay", path, "--rate", "0.25"}).out);
  EXPECT_EQ(wix["rate"], 0.25);
  const ProgramRun ivx = run_program({"replay", path, "--learner", "exp3-ivx"});
  EXPECT_EQ(ivx.exit_code, 0) << ivx.err;
  EXPECT_NE(ivx.out, run.out);
  const ProgramRun ucb = run_program({"replay", path, "--learner", "ucb-n"});
  EXPECT_EQ(ucb.exit_code, 2);
  EXPECT_NE(ucb.err.find("has \"available\", expected a learner that can draw among some arms: "
                         "ucb-n cannot"),
            std::string::npos);

  // A torn last line is ignored with a warning, also from standard input.
  const std::string text = read_file(path);
  const ProgramRun torn = run_program({"replay", "-"}, text + "{\"feedb");
  EXPECT_EQ(torn.exit_code, 0);
  EXPECT_EQ(torn.out, run.out);
  EXPECT_EQ(torn.err, "hearsay: warning: standard input: the last line is torn, 7 bytes ignored\n");
  const ProgramRun wrong = run_program({"replay", "-"}, text + "{\"forget\": 99}\n");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_EQ(wrong.err,
            "hearsay: standard input:27: decision 99 is not outstanding, expected one "
            "that awaits feedback\n");
}

// A learner that is named, with the parameters of the one that wrote the log, has the same numbers.
TEST(ReplayCommand, PlaysANamedLearnerWithItsParametersUnderDelay) {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("log.jsonl");
  constexpr int kDelay = 6000;  // more than a learner awaits by default
  {
    Problem problem({.names = {"a", "b"},
                     .noise_bound = 1,
                     .learner = {.name = "exp3-ivc",
                                 .delay_rate = DelayRate::count,
                                 .max_outstanding = kDelay + 1}},
                    path);
    std::vector<Choice> choices;
    for (int t = 0; t <= kDelay; ++t) {
      choices.push_back(problem.choose());
    }
    for (int t = 0; t < 20; ++t) {
      problem.tell(choices[static_cast<std::size_t>(t)], 0.25 + 0.5 * (t % 2));
      problem.tell(problem.choose(), 0.5);
    }
  }
  const ProgramRun of_log = run_program({"replay", path});
  EXPECT_EQ(of_log.exit_code, 0) << of_log.err;
  const ProgramRun named =
      run_program({"replay", path, "--learner", "exp3-ivc", "--delay-rate", "count"});
  EXPECT_EQ(named.exit_code, 0) << named.err;
  EXPECT_EQ(named.out, of_log.out);
  const ProgramRun without_delay_rate = run_program({"replay", path, "--learner", "exp3-ivc"});
  EXPECT_EQ(without_delay_rate.exit_code, 0) << without_delay_rate.err;
  EXPECT_GT(last_line(without_delay_rate.out)["rate"], last_line(of_log.out)["rate"]);

  const ProgramRun refused =
      run_program({"replay", path, "--learner", "exp3", "--delay-rate", "count"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(refused.err.find("hearsay: --delay-rate: "), 0U) << refused.err;
}

TEST(ReplayCommand, IsLenientWithTheLogOfAProblemWhoseLearnerRefusesObservations) {
  const auto log = [](const std::string& out_of_range) {
    return R"({"hearsay_log": 1, "problem": {"names": ["a", "b"], "noise_bound": 1, "learner": )"
           R"({"name": "exp3-wix", "out_of_range": ")" +
           out_of_range + R"("}, "graph": {"arcs": [["a", "b", 0.5], ["b", "a", 0.5]]}}}
{"decision": 1, "arm": "a", "probability": 0.5}
{"feedback": 1, "outcome": 0.5, "readings": {"b": 3}}
)";
  };
  const ProgramRun strict = run_program({"replay", "-"}, log("refuse"));
  EXPECT_EQ(strict.exit_code, 2);
  EXPECT_EQ(strict.out, "");
  const ProgramRun counting = run_program({"replay", "-"}, log("count"));
  EXPECT_NE(counting.err.find("warning: 1 observation out of range"), std::string::npos);
  const ProgramRun lenient = run_program({"replay", "-", "--lenient"}, log("refuse"));
  EXPECT_EQ(lenient.exit_code, 0);
  EXPECT_EQ(lenient.out, counting.out);
  EXPECT_EQ(lenient.err, counting.err);
}

TEST(ReplayCommand, SaysWhichObservationsAreInRange) {
  const auto error = [](const std::string& value, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"replay", "-"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return run_program(arguments, R"({"arms": 1})"
                                  "\n"
                                  R"({"arm": 0, "observations": [)" +
                                      value + R"(], "weights": [[1]]})")
        .err;
  };
  EXPECT_EQ(error("1.5", {"--learner", "exp3"}),
            "hearsay: standard input:2: the observation of arm 0 is 1.5, expected one in [0, 1] at "
            "weight 1 and noise bound 1\n");
  EXPECT_EQ(error("1.5", {}),  // the level of the noise is learned, but at weight 1 there is none
            "hearsay: standard input:2: the observation of arm 0 is 1.5, expected one in [0, 1] at "
            "weight 1\n");
}

}  // namespace
}  // namespace hearsay
