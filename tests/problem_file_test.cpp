// Problems as TOML and JSON: what is written reads back, and what is wrong is refused at its place.

#include "hearsay/problem/problem_file.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"
#include "tests/message_of.h"
#include "tests/program.h"

namespace hearsay {
namespace {

std::vector<double> weights_of(const ProblemDescription& problem) {
  const Graph graph = graph_in_problem(problem.graph, problem.names.size());
  std::vector<double> weights;
  for (Arm played = 0; played < graph.arms(); ++played) {
    for (Arm seen = 0; seen < graph.arms(); ++seen) {
      weights.push_back(graph.weight(played, seen));
    }
  }
  return weights;
}

// Compares all settings of two problems, with the learner's defaults filled in.
void expect_same(const ProblemDescription& a, const ProblemDescription& b) {
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.outcome, b.outcome);
  EXPECT_EQ(weights_of(a), weights_of(b));
  EXPECT_EQ(a.noise_bound, b.noise_bound);
  EXPECT_EQ(learner_of(a), learner_of(b));
  EXPECT_EQ(a.missing_readings, b.missing_readings);
  EXPECT_EQ(a.logged_probabilities, b.logged_probabilities);
  EXPECT_EQ(a.seed, b.seed);
}

constexpr const char* kToml = R"(names = ["red", "green \"2\"", "bl\u00fce"]
noise_bound = 0.5
missing_readings = "thin"
seed = 7

[outcome]
kind = "reward"
low = -5
high = 95.5
out_of_range = "clip"

[graph]
arcs = [["red", "bl\u00fce", 0.25], ["bl\u00fce", "red", 1]]

[learner]
name = "exp3-wix"
rate = 0.1
)";

TEST(ProblemFile, ReadsEveryKey) {
  const ProblemDescription problem = parse_problem_toml(kToml, "p.toml");
  EXPECT_EQ(problem.names, (std::vector<std::string>{"red", "green \"2\"",
                                                     "bl\xc3\xbc"
                                                     "e"}));
  EXPECT_EQ(problem.outcome.kind, OutcomeKind::reward);
  EXPECT_EQ(problem.outcome.low, -5);
  EXPECT_EQ(problem.outcome.high, 95.5);
  EXPECT_EQ(problem.outcome.out_of_range, OutOfRangeOutcome::clip);
  EXPECT_EQ(problem.missing_readings, MissingReadings::thin);
  EXPECT_EQ(problem.seed, 7);
  EXPECT_EQ(weights_of(problem), (std::vector<double>{1, 0, 0.25, 0, 1, 0, 1, 0, 1}));
  const LearnerSpec learner = learner_of(problem);
  EXPECT_EQ(learner.name, "exp3-wix");
  EXPECT_EQ(learner.arms, 3);
  EXPECT_EQ(learner.noise_bound, 0.5);
  EXPECT_EQ(learner.rate, 0.1);
}

TEST(ProblemFile, WhatIsWrittenReadsBackToTheSameProblem) {
  std::vector<ProblemDescription> problems = {parse_problem_toml(kToml, "p.toml")};
  problems.push_back({.names = {"a", "\x7f\n\t\\'\"", "\xf0\x9f\x98\x80"}});
  problems.push_back({.names = {"one"},
                      .outcome = {.kind = OutcomeKind::loss, .low = 1e-7, .high = 1.0 / 3},
                      .noise_bound = 2.0 / 3,
                      .logged_probabilities = LoggedProbabilities::played});
  problems.push_back({.names = {"x", "y"},
                      .graph = Graph::dense(2, {1, 1e-300, 1.0 / 3, 1}),
                      .learner = {.name = "ucb-n"}});
  for (const ProblemDescription& problem : problems) {
    const std::string toml = to_toml(problem);
    const std::string json = to_json(problem);
    expect_same(parse_problem_toml(toml, "p.toml"), problem);
    expect_same(parse_problem_json(json, "p.json"), problem);
    EXPECT_EQ(to_toml(parse_problem_json(json, "p.json")), toml);
    EXPECT_EQ(to_json(parse_problem_toml(toml, "p.toml")), json);
    EXPECT_EQ(json.find('\n'), std::string::npos);
  }
}

TEST(ProblemFile, TheDefaultLearnerLearnsTheNoiseUnlessABoundIsGiven) {
  ProblemDescription problem{.names = {"a", "b"}};
  LearnerSpec expected = with_defaults({.name = "", .arms = 2});
  EXPECT_EQ(learner_of(problem), expected);
  EXPECT_EQ(noise_bound_of(problem), std::nullopt);
  problem.noise_bound = 0.25;
  EXPECT_EQ(learner_of(problem).name, expected.name);
  EXPECT_EQ(learner_of(problem).noise, NoiseLevel::known);
  EXPECT_EQ(noise_bound_of(problem), 0.25);
  problem.learner.name = "exp3-wix";
  EXPECT_EQ(noise_bound_of(problem), 0.25);
  problem.noise_bound.reset();
  EXPECT_EQ(noise_bound_of(problem), 1);
}

TEST(ProblemFile, ALearnerLearnsTheNoiseIfTheNoiseBoundIsTheWordLearned) {
  const auto parse = [](const std::string& learner) {
    return parse_problem_toml("names = ['a', 'b']\nnoise_bound = 'learned'\n" + learner, "p.toml");
  };
  EXPECT_EQ(learner_of(parse("")).noise, NoiseLevel::learned);
  EXPECT_EQ(learner_of(parse("[learner]\nname = 'exp3-ivc'")).noise, NoiseLevel::learned);
  EXPECT_EQ(message_of([&] { parse("[learner]\nname = 'exp3-wix'"); }),
            "p.toml:2: noise_bound: is \"learned\", expected a number: exp3-wix does not learn the "
            "level of the noise");
  EXPECT_EQ(message_of([&] { parse("[learner]\nname = 'exp3-ivc'\nnoise = 'known'"); }),
            "p.toml:2: noise_bound: is \"learned\", expected a number: the learner has noise = "
            "\"known\"");
}

TEST(ProblemFile, AGraphFileIsLookedForBesideTheProblem) {
  const testing::ScratchDirectory directory;
  directory.write("g.csv", "played,seen,weight\n0,1,0.5\n");
  directory.write("p.toml", "names = [\"a\", \"b\", \"c\"]\n[graph]\nfile = \"g.csv\"\n");
  const ProblemDescription problem = read_problem(directory.file("p.toml"));
  EXPECT_EQ(weights_of(problem), (std::vector<double>{1, 0.5, 0, 0, 1, 0, 0, 0, 1}));
  directory.write("p.json", R"({"names": ["a", "b", "c"], "graph": {"file": "g.csv"}})");
  expect_same(read_problem(directory.file("p.json")), problem);
  directory.write("g.csv", "played_name,seen_name,weight\nc,c,1\nb,b,1\na,a,1\na,b,0.5\n");
  expect_same(read_problem(directory.file("p.toml")), problem);
  directory.write("g.csv", "played_name,seen_name,weight\na,d,0.5\n");
  EXPECT_EQ(message_of([&] { read_problem(directory.file("p.toml")); }),
            directory.file("p.toml") + ":3: " + directory.file("g.csv") +
                ":2:3: there is no arm 'd', expected 'a'");
  directory.write("g.csv", "played,seen,weight\n0,1,1.5\n");
  EXPECT_EQ(message_of([&] { read_problem(directory.file("p.toml")); }),
            directory.file("p.toml") + ":3: " + directory.file("g.csv") +
                ":2: the weight is '1.5', expected a number in [0, 1]");
  EXPECT_EQ(message_of([&] { read_problem(directory.file("p.yaml")); }),
            directory.file("p.yaml") +
                ": has another ending, expected a problem in a .toml or .json file");
}

TEST(ProblemFile, ErrorsNameThePlaceOfWhatIsWrong) {
  const auto toml = [](const std::string& text) {
    return message_of([&] { parse_problem_toml(text, "p.toml"); });
  };
  EXPECT_EQ(toml("seed = 1\n"),
            "p.toml:1: a problem has no 'names', expected a list with the name of each arm");
  EXPECT_EQ(toml("names = []\n"), "p.toml:1: names: is empty, expected a name for each arm");
  EXPECT_EQ(toml("seed = 1\nnames = [\"a\", \"a\"]\n"),
            "p.toml:2: names: 'a' appears twice, expected a different name for each arm");
  EXPECT_EQ(toml("names = [\"a\", \"\"]\n"), "p.toml:1: names: name 1 is empty, expected a text");
  EXPECT_EQ(toml("names = [1]\n"), "p.toml:1: names: is 1, expected a text");
  EXPECT_EQ(toml("names = [\"a\"]\nsede = 2\n"),
            "p.toml:2: 'sede' is not a key of a problem, expected 'seed'");
  EXPECT_EQ(toml("names = [\"a\"]\n[outcome]\nkind = \"reward\"\nlow = 3\nhigh = 3\n"),
            "p.toml:5: high: is 3, expected more than low, 3");
  EXPECT_EQ(toml("names = [\"a\"]\n[outcome]\nkind = \"loss\"\nlow = 1.7e9\nhigh = 1700000001\n"),
            "p.toml:5: high: is 1700000001, only 1 more than low, 1700000000, expected a range "
            "wider than 1e-09 of its ends (subtract a constant from every outcome)");
  EXPECT_EQ(toml("names = [\"a\"]\n[outcome]\nkind = \"gain\"\n"),
            "p.toml:3: kind: is 'gain', expected one of reward, loss");
  EXPECT_EQ(toml("names = [\"apple\", \"b\"]\n[graph]\narcs = [\n[\"b\", \"aple\", 0.5]]\n"),
            "p.toml:4: arcs: there is no arm 'aple', expected 'apple'");
  EXPECT_EQ(toml("names = [\"a\", \"b\"]\n[graph]\narcs = [\n[\"b\", \"a\", 1.5]]\n"),
            "p.toml:4: arcs: the weight of 'b' -> 'a': is 1.5, expected a number in [0, 1]");
  EXPECT_EQ(toml("names = [\"a\", \"b\"]\n[graph]\narcs = [[\"b\", \"a\"]]\n"),
            "p.toml:3: arcs: has an arc of 2 values, expected [played, seen, weight]");
  EXPECT_EQ(toml("names = [\"a\"]\n[graph]\n"),
            "p.toml:2: [graph] has neither, expected one of arcs and file");
  EXPECT_EQ(toml("names = [\"a\"]\n[learner]\nname = \"exp3wix\"\n"),
            "p.toml:3: name: 'exp3wix' is not known, expected 'exp3-wix'");
  EXPECT_EQ(toml("names = [\"a\"]\n[learner]\nname = \"exp3\"\nthreshold = 0.5\n"),
            "p.toml:4: threshold: is given, but exp3 has no such parameter");
  EXPECT_EQ(toml("names = [\"a\"]\nnoise_bound = -1\n"),
            "p.toml:2: noise_bound: is -1, expected 'learned' or a number of at least 0");

  const auto json = [](const std::string& text) {
    return message_of([&] { parse_problem_json(text, "p.json"); });
  };
  EXPECT_EQ(json("{\"names\": [\"a\"], \"seed\": \"x\"}"),
            "p.json:1: seed: is 'x', expected a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(json("{\n\"names\": [\"a\"],\n\n\"seed\": null}"),
            "p.json:4: seed: is null, expected a value");
  EXPECT_EQ(json("{\n\"names\": [\"a\",\n1\n]}"), "p.json:3: names: is 1, expected a text");
  EXPECT_EQ(json("{\n\"names\": [\"a\"],\n\"seed\":\n\n1.5\n,\"noise_bound\": 1}"),
            "p.json:5: seed: is 1.5, expected a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(json("{\n\"names\": [\"a\"],\n\"sede\": 1\n,\n\"seed\": 2}"),
            "p.json:3: 'sede' is not a key of a problem, expected 'seed'");
  EXPECT_EQ(json("\n{\"names\": [\"a\"],\n\"outcome\": {\n\"low\": 3,\n\"high\": 3\n}}"),
            "p.json:5: high: is 3, expected more than low, 3");
  EXPECT_EQ(json("{\"names\":\n[\"a\"], \"outcome\": 5}"),
            "p.json:2: outcome: is 5, expected a table");
  EXPECT_EQ(json("{\"names\": [\"a\", \"b\"],\n\"graph\": {\"arcs\": [\n[\"a\", \"b\", 0.5],\n"
                 "[\"b\",\n\"a\", 1.5]]}}"),
            "p.json:5: arcs: the weight of 'b' -> 'a': is 1.5, expected a number in [0, 1]");
  EXPECT_EQ(json("{\"names\": [\"a\"],\n\"graph\":\n{}}"),
            "p.json:3: [graph] has neither, expected one of arcs and file");
  EXPECT_EQ(json("\n{\n\"seed\": 1}"),
            "p.json:2: a problem has no 'names', expected a list with the name of each arm");
  EXPECT_EQ(json("{\"names\":\n[]}"), "p.json:2: names: is empty, expected a name for each arm");
  EXPECT_EQ(json("{\"names\": [\"a\"]"), "p.json:1: is not JSON at column 16, expected one object");
  EXPECT_EQ(json("{\n  \"names\": [\"a\"],\n  \"seed\" 1\n}\n"),
            "p.json:3: is not JSON at column 10, expected one object");
  EXPECT_EQ(json("{\"names\": [\"a\"], \"outcome\": {\"low\": 0, \"high\": 1, \"low\": -1}}"),
            "p.json:1: has the key 'low' twice, expected it once");
  EXPECT_EQ(json("{\n  \"names\": [\"a\"],\n  \"seed\": 1,\n  \"seed\"\n: 2\n}\n"),
            "p.json:4: has the key 'seed' twice, expected it once");
  EXPECT_EQ(json("{\n  \"names\": [\"a\"],\n  \"seed\": 1e999\n}\n"),
            "p.json:3: has a number too large for a double, expected at most 1.8e308");
  EXPECT_EQ(json("{\n\"names\":\n" + std::string(100'000, '[')),
            "p.json:3: has arrays or objects within 64 others, expected fewer");
  EXPECT_EQ(json("[]"), "p.json: is array, expected an object");
  EXPECT_EQ(json("{\"names\": [[[[[[[[[[[[\"a\"]]]]]]]]]]]]}"),
            "p.json:1: names: is a list, expected a text");
}

TEST(Outcome, LossesAndOutcomesTranslateIntoEachOther) {
  const Outcome reward{.kind = OutcomeKind::reward, .low = 5, .high = 95};
  EXPECT_EQ(reward.loss_of(95), 0);
  EXPECT_EQ(reward.loss_of(5), 1);
  EXPECT_EQ(reward.loss_of(50), 0.5);
  EXPECT_EQ(reward.value_of(0.25), 72.5);
  const Outcome loss{.kind = OutcomeKind::loss, .low = -2, .high = 2};
  EXPECT_EQ(loss.loss_of(-2), 0);
  EXPECT_EQ(loss.loss_of(1), 0.75);
  EXPECT_EQ(loss.value_of(0.75), 1);
}

}  // namespace
}  // namespace hearsay
