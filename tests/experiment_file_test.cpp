#include "hearsay/experiment/experiment_file.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/base/suggestion.h"
#include "hearsay/graph/families.h"
#include "hearsay/version.h"
#include "hearsay/work/plan.h"
#include "tests/program.h"

namespace hearsay {
namespace {

using testing::ScratchDirectory;

const std::vector<std::string> kLines = {
    R"(name = "test")",                // 1
    R"(repetitions = 2)",              // 2
    R"(points = 10)",                  // 3
    R"(spacing = "linear")",           // 4
    R"([environment])",                // 5
    R"(horizon = 100)",                // 6
    R"(noise = "uniform")",            // 7
    R"(noise_bound = 1)",              // 8
    R"([environment.graph])",          // 9
    R"(kind = "fixed")",               // 10
    R"(family = "grid")",              // 11
    R"(side = 3)",                     // 12
    R"([environment.losses])",         // 13
    R"(kind = "walks")",               // 14
    R"(step = 0.01)",                  // 15
    R"([[learners]])",                 // 16
    R"(learner = "exp3-ixt")",         // 17
    R"(threshold = [0, 0.5])",         // 18
    R"(rate = ["adaptive", 0.1])",     // 19
    R"([[learners]])",                 // 20
    R"(learner = "exp3-wix")",         // 21
    R"(tuning = ["paper", "sharp"])",  // 22
};

// The valid file with one line, counted from 1, replaced; with line 0, the valid file itself.
std::string with_line(std::size_t line, const std::string& text) {
  std::string all;
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    all += (i + 1 == line ? text : kLines[i]) + "\n";
  }
  return all;
}

std::string valid_file() {
  return with_line(0, "");
}

// The message of the Error that parsing throws.
std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    parse_experiment(text, "dir/test.toml",
                     std::vector<Override>(overrides.begin(), overrides.end()));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ExperimentFile, FillsInDefaults) {
  const Experiment experiment = parse_experiment(valid_file(), "dir/test.toml");
  EXPECT_EQ(experiment.name, "test");
  EXPECT_EQ(experiment.seed, 1);
  EXPECT_EQ(experiment.repetitions, 2);
  EXPECT_EQ(experiment.sequences, 1);
  EXPECT_EQ(experiment.points.count, 10);
  EXPECT_EQ(experiment.environment.horizon, 100);
  EXPECT_EQ(experiment.environment.noise.law, NoiseLaw::uniform);
  const auto& grid = std::get<FamilyGraph>(experiment.environment.graph.graphs.at(0));
  EXPECT_EQ(grid.options.as<Grid>().side, 3);
  EXPECT_EQ(grid.options.as<Grid>().spacing, 1);
  const auto& losses = std::get<LossesOfKind>(experiment.environment.losses);
  EXPECT_EQ(losses.options.as<losses::Walks>().walks, 20);
  ASSERT_EQ(experiment.learners.size(), 2);
  EXPECT_EQ(experiment.learners[0].label, "exp3-ixt");
  using Values = std::vector<FieldValue>;
  LearnerSweep ixt = experiment.learners[0];
  EXPECT_EQ(ixt.of("rate"), (Values{std::monostate(), 0.1}));
  EXPECT_EQ(ixt.of("noise_bound"), Values{1.0});
  LearnerSweep wix = experiment.learners[1];
  EXPECT_EQ(wix.of("delta"), Values{1.0});
  EXPECT_EQ(wix.of("tuning"), (Values{std::string("paper"), std::string("sharp")}));
}

TEST(ExperimentFile, NamesAnExperimentWithoutANameAfterTheFile) {
  EXPECT_EQ(parse_experiment(with_line(1, ""), "dir/night-run.toml").name, "night-run");
}

TEST(ExperimentFile, ErrorsNameTheLineAndSuggestTheNearestName) {
  struct Wrong {
    std::size_t line;
    std::string text;
    std::string message;
  };
  const std::vector<Wrong> all = {
      // unknown keys
      {2, "repetition = 2",
       "test.toml:2: 'repetition' is not a key of the experiment, expected 'repetitions'"},
      {4, "spcing = 'log'",
       "test.toml:4: 'spcing' is not a key of the experiment, expected 'spacing'"},
      {4, "sede = 3", "test.toml:4: 'sede' is not a key of the experiment, expected 'seed'"},
      {6, "horizn = 100",
       "test.toml:6: 'horizn' is not a key of [environment], expected 'horizon'"},
      {7, "nois = 'uniform'",
       "test.toml:7: 'nois' is not a key of [environment], expected 'noise'"},
      {8, "noise-bound = 1",
       "test.toml:8: 'noise-bound' is not a key of [environment], expected 'noise_bound'"},
      {11, "famly = 'grid'",
       "test.toml:11: 'famly' is not a key of [environment.graph], expected 'family'"},
      {12, "arms = 9", "test.toml:12: 'arms' is not a key of [environment.graph], expected one of"},
      {12, "sdie = 3", "test.toml:12: 'sdie' is not a key of [environment.graph], expected 'side'"},
      {15, "gap = 0.1",
       "test.toml:15: 'gap' is not a key of [environment.losses], expected one of kind, walks, "
       "step"},
      {18, "treshold = 0.5",
       "test.toml:18: 'treshold' is not a key of [[learners]], expected 'threshold'"},
      {21, "name = 'exp3-wix'", "test.toml:20: [[learners]] has no 'learner', expected"},
      {22, "eta = 0.1", "test.toml:22: 'eta' is not a key of [[learners]], expected"},
      // unknown words
      {4, "spacing = 'logarithmic'",
       "test.toml:4: spacing: is 'logarithmic', expected one of linear, log"},
      {7, "noise = 'unifrom'", "test.toml:7: noise: is 'unifrom', expected 'uniform'"},
      {10, "kind = 'fixd'", "test.toml:10: kind: is 'fixd', expected 'fixed'"},
      {11, "family = 'gird'", "test.toml:11: family: is 'gird', expected 'grid'"},
      {14, "kind = 'bernouli'", "test.toml:14: kind: is 'bernouli', expected 'bernoulli'"},
      {17, "learner = 'exp3-ixx'", "test.toml:17: learner: is 'exp3-ixx', expected 'exp3-ix'"},
      {17, "learner = 'thompson'", "test.toml:17: learner: is 'thompson', expected one of exp3, "},
      {22, "tuning = 'shrp'", "test.toml:22: tuning: is 'shrp', expected 'sharp'"},
      {22, "engine = 'quick'",
       "test.toml:22: engine: is 'quick', expected one of exact, lazy, auto"},
      {12, "side = 3\nweight = 'inverse'",
       "test.toml:13: weight: is 'inverse', expected inverse-square-cap"},
      // wrong types
      {1, "name = 3", "test.toml:1: name: is 3, expected a text"},
      {1, "name = 'a/b'", "test.toml:1: name: is 'a/b', expected letters"},
      {2, "repetitions = 2.5",
       "test.toml:2: repetitions: is 2.5, expected a whole number from 1 to"},
      {2, "repetitions = 'two'", "test.toml:2: repetitions: is 'two', expected a whole number"},
      {5, "[[environment]]", "test.toml:5: environment: is a list, expected a table"},
      {6, "horizon = true", "test.toml:6: horizon: is true, expected a whole number"},
      {8, "noise_bound = 'one'", "test.toml:8: noise_bound: is 'one', expected a number"},
      {8, "noise_bound = 1979-05-27",
       "test.toml:8: noise_bound: is a date or a time, expected a number"},
      {12, "side = 3\nunit_square = 1", "test.toml:13: unit_square: is 1, expected true or false"},
      {19, "rate = 'adaptve'",
       "test.toml:19: rate: is 'adaptve', expected 'adaptive' or a positive number"},
      {19, "exploration = 'none'",
       "test.toml:19: exploration: is 'none', expected 'theory' or a number"},
      {19, "rate = []", "test.toml:19: rate: is a list of 0 values, expected 1 to"},
      {19, "rate = [0.1, 0.1]", "test.toml:19: rate: has 0.1 twice, expected each value once"},
      {19, "rate = [[0.1]]",
       "test.toml:19: rate: is a list, expected 'adaptive' or a positive number"},
      // out of range
      {2, "repetitions = 0", "test.toml:2: repetitions: is 0, expected a whole number from 1 to"},
      {2, "repetitions = -1", "test.toml:2: repetitions: is -1, expected"},
      {2, "sequences = 0", "test.toml:2: sequences: is 0, expected"},
      {3, "points = 0", "test.toml:3: points: is 0, expected"},
      {3, "seed = -5", "test.toml:3: seed: is -5, expected a whole number from 0"},
      {6, "horizon = 0", "test.toml:6: horizon: is 0, expected a whole number from 1"},
      {8, "noise_bound = -1", "test.toml:8: noise_bound: is -1, expected a number of at least 0"},
      {8, "noise_bound = 1e101",
       "test.toml:8: noise_bound: is 1e+101, expected a number in [0, 1e+100]"},
      {8, "noise_bound = inf", "test.toml:8: noise_bound: is inf, expected a number"},
      {12, "side = 0", "test.toml:12: side: is 0, expected a whole number from 1 to 128"},
      {15, "step = 2.0", "test.toml:15: step: is 2, expected a number in [0, 1]"},
      {18, "threshold = [0, 1.5]", "test.toml:18: threshold: is 1.5, expected a number in [0, 1]"},
      {22, "delta = 0.5", "test.toml:22: delta: is 0.5, expected a number of at least 1"},
      {22, "threshold = 0.5",
       "test.toml:22: threshold: is given, but exp3-wix has no such parameter"},
      {18, "", "test.toml:16: threshold: is missing, expected a number in [0, 1]"},
      // contradictory values
      {10, "kind = 'redrawn'", "test.toml:10: kind: is 'redrawn', expected a random family"},
      {10, "kind = 'alternating'",
       "test.toml:9: [environment.graph] has no 'graphs', expected a list of graphs"},
      {21, "learner = 'exp3-wix'\nlabel = 'exp3-ixt'",
       "test.toml:22: label: 'exp3-ixt' is the label of another learner too"},
      {21, "learner = 'exp3-wix'\nlabel = ''", "test.toml:22: label: is '', expected a line"},
      {21, "learner = 'exp3-wix'\nlabel = \"\\u001b[2J\"",
       "test.toml:22: label: is '?[2J', expected a line of text without control characters"},
      {21, "learner = 'exp3-wix'\nlabel = \"a\\u009b2J\"",
       "test.toml:22: label: is 'a??2J', expected a line of text without control characters"},
      {21, "learner = 'exp3-wix'\nlabel = '=1+1'",
       "test.toml:22: label: is '=1+1', expected a first character other than = + - @"},
      {21, "learner = 'exp3-wix'\nlabel = '@sum'", "test.toml:22: label: is '@sum', expected a"},
      {12, "side = 3\nunit_square = true\nspacing = 2",
       "test.toml:14: spacing: is given together with `unit_square`, expected one of the two"},
      {11, "file = 'absent.npy'", "test.toml:11: /"},
      // invalid TOML
      {12, "side =", "test.toml:12: is not TOML"},
      {12, "side = 3\nside = 4", "test.toml:13: is not TOML"},
      {16, "[[,x]]", "test.toml:16: is not TOML: the name of a table is malformed"},
      {16, "  [ .a]", "test.toml:16: is not TOML: the name of a table is malformed"},
      {16, "[", "test.toml:16: is not TOML"},
  };
  for (const Wrong& wrong : all) {
    const std::string message = refusal(with_line(wrong.line, wrong.text));
    EXPECT_TRUE(message.starts_with("dir/" + wrong.message))
        << wrong.text << "\n  message  " << message << "\n  expected dir/" << wrong.message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
}

TEST(ExperimentFile, ErrorsNameMissingKeys) {
  EXPECT_EQ(refusal("name = 'x'").find("dir/test.toml:"), 0);
  EXPECT_NE(refusal("name = 'x'").find("has no 'environment'"), std::string::npos);
  EXPECT_NE(refusal(with_line(6, "")).find("[environment] has no 'horizon'"), std::string::npos);
  const std::string no_learners = valid_file().substr(0, valid_file().find("[[learners]]"));
  EXPECT_NE(refusal(no_learners).find("has no 'learners'"), std::string::npos);
}

TEST(ExperimentFile, OverridesReplaceValues) {
  const auto parsed_with = [](const std::vector<std::string>& overrides) {
    return parse_experiment(valid_file(), "test.toml",
                            std::vector<Override>(overrides.begin(), overrides.end()));
  };
  EXPECT_EQ(parsed_with({"environment.horizon=7"}).environment.horizon, 7);
  EXPECT_EQ(parsed_with({"seed=5", "seed=6"}).seed, 6);
  EXPECT_EQ(parsed_with({"environment.noise=rademacher"}).environment.noise.law,
            NoiseLaw::rademacher);
  EXPECT_EQ(parsed_with({"learners.exp3-wix.rate=[0.5, 0.25]"}).learners[1].of("rate").size(), 2);
  EXPECT_EQ(parsed_with({"learners.0.threshold=1"}).learners[0].of("threshold").size(), 1);
  EXPECT_EQ(parsed_with({"points=[3, 50]"}).points.list.size(), 3);

  EXPECT_EQ(refusal(valid_file(), {"environment.horizon=0"}),
            "--set environment.horizon: horizon: is 0, expected a whole number from 1 to "
            "1000000000000000");
  EXPECT_EQ(refusal(valid_file(), {"environment.horizn=10"}),
            "--set environment.horizn: 'horizn' is not a key of [environment], expected 'horizon'");
  EXPECT_NE(refusal(valid_file(), {"horizon"}).find("expected KEY=VALUE"), std::string::npos);
  EXPECT_NE(refusal(valid_file(), {"learners.hedge.rate=1"}).find("'hedge'"), std::string::npos);
  EXPECT_NE(refusal(valid_file(), {"learners.rate=1"}).find("is a list"), std::string::npos);
  EXPECT_EQ(refusal(valid_file(), {"a.b=1"}).find("--set a.b: 'a' is not a key of the experiment"),
            0);
  try {
    parse_experiment(valid_file(), "test.toml", std::vector<Override>{{"seed=-1", "--seed"}});
    ADD_FAILURE() << "a negative seed was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("--seed: seed: is -1, expected"), 0) << error.what();
  }
}

TEST(ExperimentFile, OverridesFindLearnersWhoseLabelsHaveDots) {
  const std::string head =
      "[environment]\nhorizon = 10\n[environment.graph]\nfamily = 'star'\narms = 3\n";
  const std::string dotted =
      "[[learners]]\nlearner = 'exp3.g'\nhorizon = 10\nalpha = 1\n"
      "[[learners]]\nlearner = 'exp3-ix'\nlabel = 'at 0.1'\nrate = 0.1\n";
  const std::string shorter = "[[learners]]\nlearner = 'exp3'\nrate = 0.5\n";
  // The override must do what the same change of the text does.
  const auto expect_same = [](std::string text, const char* override, std::string_view from,
                              std::string_view to) {
    const Experiment overridden =
        parse_experiment(text, "test.toml", std::vector<Override>{{override}});
    text.replace(text.find(from), from.size(), to);
    EXPECT_EQ(to_toml(overridden), to_toml(parse_experiment(text, "test.toml"))) << override;
  };
  // The label exp3, if it is there, fits too but is shorter, whichever comes first.
  for (const std::string& text :
       {head + dotted, head + shorter + dotted, head + dotted + shorter}) {
    expect_same(text, "learners.exp3.g.alpha=2", "alpha = 1", "alpha = 2");
    expect_same(text, "learners.at 0.1.rate=0.2", "rate = 0.1", "rate = 0.2");
    EXPECT_EQ(refusal(text, {"learners.exp3.g=1"}),
              "--set learners.exp3.g: is a list, expected a key of one of its tables");
  }
  expect_same(head + dotted + shorter, "learners.exp3.rate=1", "rate = 0.5", "rate = 1");
}

TEST(ExperimentFile, WholeNumbersMayHaveAnExponent) {
  EXPECT_EQ(parse_experiment(with_line(6, "horizon = 1e3"), "x.toml").environment.horizon, 1000);
  EXPECT_EQ(refusal(with_line(6, "horizon = 1e300")).find("dir/test.toml:6: horizon: is 1e+300"),
            0);
}

TEST(ExperimentFile, ErrorsNameNoLineIfTheTextHasNoName) {
  try {
    parse_experiment(with_line(6, "horizn = 100"), "");
    ADD_FAILURE() << "an unknown key was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "'horizn' is not a key of [environment], expected 'horizon'");
  }
}

TEST(ExperimentFile, RefusesKeysWithTooManyParts) {
  std::string long_key = "a";
  for (int i = 0; i < 300'000; ++i) {
    long_key += ".a";
  }
  EXPECT_EQ(
      refusal(valid_file() + long_key + " = 1\n").find("dir/test.toml:23: has a key of more than"),
      0);
  EXPECT_EQ(refusal(valid_file(), {long_key + "=1"}).find("--set a.a.a"), 0);
  // The messages say "more than 20 parts".
  const std::string of_20_parts = long_key.substr(0, 39);
  EXPECT_EQ(refusal(valid_file() + of_20_parts + " = 1\n").find("has a key of"), std::string::npos);
  EXPECT_EQ(refusal(valid_file(), {of_20_parts + "=1"}).find("more than 20"), std::string::npos);
  EXPECT_EQ(refusal(valid_file() + of_20_parts + ".a = 1\n"),
            "dir/test.toml:23: has a key of more than 20 parts, expected at most that many");
  EXPECT_NE(refusal(valid_file(), {of_20_parts + ".a=1"}).find("has more than 20 parts"),
            std::string::npos);
}

// The parts of a key may be in quotes, with any characters in them, and where a string ends decides
// whether what follows is a key.
TEST(ExperimentFile, FindsKeysWithTooManyPartsWhateverIsBeforeThem) {
  const auto repeated = [](const std::string& part) {
    std::string all = part;
    for (int i = 0; i < 100'000; ++i) {
      all += "." + part;
    }
    return all;
  };
  for (const std::string part :
       {R"("!")", R"('#')", "\"\u00e9 \"", R"(' = ')", R"("\"")", R"("")", R"('')"}) {
    EXPECT_EQ(
        refusal(valid_file() + repeated(part) + " = 1\n").find("dir/test.toml:23: has a key of"), 0)
        << part;
    EXPECT_EQ(refusal("[" + repeated(part) + "]\n").find("dir/test.toml:1: has a key of"), 0)
        << part;
  }
  for (const std::string before :
       {"x = {y = \"\"\"#\n'\\\"\"\"\"\", ", "x = {y = '''\"\n''''', ", R"(x = {y = "#'", )",
        R"(x = {y = '\', )", R"(x = ["", {)", "# \"\nx = {", R"(x = {y = """""", )"}) {
    EXPECT_NE(refusal(before + repeated("a") + " = 1}\n").find(": has a key of more than"),
              std::string::npos)
        << before;
  }
}

TEST(ExperimentFile, TakesDotsInStringsCommentsAndListsOfNumbers) {
  const std::string dots(500, '.');
  std::string numbers = "0.5";
  for (int i = 0; i < 100; ++i) {
    numbers += ", 0." + std::to_string(1000 + i);
  }
  EXPECT_EQ(refusal("# " + dots + "\n" + valid_file()), "accepted");
  EXPECT_NE(refusal("x = '" + dots + "'\n" + valid_file()).find("'x' is not a key"),
            std::string::npos);
  EXPECT_EQ(refusal(valid_file(), {"learners.0.rate=[" + numbers + "]"}), "accepted");
}

TEST(ExperimentFile, OverridesTakeTextsWithQuotesAsTheyAre) {
  for (const std::string label : {"it's mine", "say \"so\"", "a\\b", "'", "\""}) {
    const Experiment experiment = parse_experiment(
        valid_file(), "test.toml", std::vector<Override>{{"learners.0.label=" + label}});
    EXPECT_EQ(experiment.learners.at(0).label, label);
  }
}

// toml++ has undefined behaviour for these characters outside of strings, which a sanitizer
// reports.
TEST(ExperimentFile, RefusesCharactersOutsideOfStringsThatTheParserDoesNotExpect) {
  for (const std::string character : {"\u00A1", "\u0378", "\u0499", "\u2E4E", "\u3040", "\uFB26"}) {
    const auto refused_at = [&](const std::string& before, const std::string& after) {
      const std::string message = refusal(before + character + after);
      return message.substr(0, message.find(" is not TOML: "));
    };
    EXPECT_EQ(refused_at("[[", "]]"), "dir/test.toml:1:");
    EXPECT_EQ(refused_at("\n", " = 1"), "dir/test.toml:2:");
    EXPECT_EQ(refused_at("a = 1", ""), "dir/test.toml:1:");
    EXPECT_EQ(refused_at("a = 1 ", ""), "dir/test.toml:1:");
    EXPECT_EQ(refused_at("a = \"\"", ""), "dir/test.toml:1:");
    EXPECT_EQ(refused_at("a = \"\\", "\""), "dir/test.toml:1:");
    EXPECT_EQ(refused_at("a = 5;{\"b", "/\"\nrate = 0.1"), "dir/test.toml:1:");
  }
}

TEST(ExperimentFile, ErrorsAreOneLineWhateverTheTextContains) {
  EXPECT_EQ(refusal("a = n\nb = 1"),
            "dir/test.toml:1: is not TOML: Error while parsing floating-point: expected 'nan', saw "
            "'n?'");
}

TEST(ExperimentFile, TakesAnyCharactersInStringsAndComments) {
  const auto label = [](const std::string& line) {
    const std::string text = with_line(16, "[[learners]]\nlabel = " + line);
    return parse_experiment(text, "test.toml").learners.at(0).label;
  };
  EXPECT_EQ(label("\"caf\u00e9 \\\" \u0378\"  # \u0378 \""), "caf\u00e9 \" \u0378");
  EXPECT_EQ(label("'\u0378\\'"), "\u0378\\");
  EXPECT_EQ(label("\"\"\"\u0378\"\"\"\"# '"), "\u0378\"");
  EXPECT_EQ(label("\"\"\"a\\ \n \u0378\"\"\""), "a\u0378");
  EXPECT_EQ(parse_experiment("\xEF\xBB\xBF" + valid_file(), "test.toml").name, "test");
}

TEST(ExperimentFile, LimitsTheSizeOfSweeps) {
  std::string points = "points = [1";
  std::string rates = "rate=[1";
  for (int i = 2; i <= 400; ++i) {
    points += ", " + std::to_string(i);
    rates += ", " + std::to_string(i);
  }
  EXPECT_EQ(parse_experiment(with_line(3, points + "]"), "x.toml",
                             std::vector<Override>{{"environment.horizon=1000"}})
                .points.list.size(),
            401);
  std::string thresholds = "threshold = [0";
  for (int i = 1; i < 400; ++i) {
    thresholds += ", " + std::to_string(i / 400.0);
  }
  const std::string message =
      refusal(with_line(18, thresholds + "]"), {"learners.0." + rates + "]"});
  EXPECT_NE(
      message.find("threshold: has 400 values, which make 160000 combinations, expected at most"),
      std::string::npos)
      << message;
}

// The written experiment must read back to the same text and give a plan with the same fingerprint.
void expect_round_trip(const std::string& text, const std::string& path = "test.toml") {
  const Experiment parsed = parse_experiment(text, path);
  const std::string written = to_toml(parsed);
  const Experiment parsed_again = parse_experiment(written, "elsewhere/experiment.toml");
  EXPECT_EQ(to_toml(parsed_again), written);
  EXPECT_EQ(parsed_again.version, kVersion);
  EXPECT_EQ(Plan(parsed).fingerprint(), Plan(parsed_again).fingerprint());
}

TEST(ExperimentFile, WrittenExperimentsReadBack) {
  expect_round_trip(valid_file());
  for (const char* graph :
       {"family = 'grid'\nside = 3\nunit_square = true\nweight = 'inverse-one-plus-square'",
        "family = 'grid'\nweight = 'inverse-square-one-plus'\nspacing = 0.5",
        "family = 'uniform'\narms = 4\nlow = 0.25\nhigh = 0.5\nsymmetric = true",
        "family = 'uniform'\nkind = 'redrawn'\narms = 4",
        "family = 'erdos-renyi'\narms = 5\nprobability = 0.3\nweight = 0.5",
        "family = 'cliques'\ncount = 2\nsize = 3", "family = 'star'\narms = 4",
        "family = 'cycle'\narms = 4", "family = 'complete'\narms = 4", "family = 'empty'\narms = 4",
        "family = 'constant'\narms = 4\nweight = 0.1", "family = 'king'\nside = 3",
        "family = 'hamming'\nlength = 4\ndistance = 2",
        "family = 'johnson'\nlength = 5\nones = 2\ndistance = 2",
        "family = 'keller'\ndimension = 2",
        "kind = 'alternating'\nrounds_each = 3\ngraphs = [{family = 'star', arms = 3}, "
        "{family = 'cycle', arms = 3}]"}) {
    expect_round_trip(std::string("[environment]\nhorizon = 10\n[environment.graph]\n") + graph +
                      "\n[[learners]]\nlearner = 'exp3'\n");
  }
  for (const char* losses :
       {"kind = 'walks'\nwalks = 3\nstep = 0.1", "kind = 'bernoulli'\ngap = 0.1\nbest = 1",
        "kind = 'switching'\nperiod = 5", "kind = 'trap'\nturn = 5",
        "kind = 'adversary'\nstrength = 0.25\nmemory = 10"}) {
    expect_round_trip(
        std::string("[environment]\nhorizon = 10\n[environment.graph]\nfamily = 'star'\narms = 3\n"
                    "[environment.losses]\n") +
        losses +
        "\n[[learners]]\nlearner = 'exp3-wix'\nlabel = 'a \"b\" \\u00e9\\\\'\nnoise_bound = [1, "
        "2]");
  }
}

TEST(ExperimentFile, FindsDataFilesInItsDirectoryAndDetectsChanges) {
  const ScratchDirectory scratch;
  scratch.write("graph.csv", "played,seen,weight\n0,1,0.5\n1,0,0.25\n");
  scratch.write("losses.csv", "0.5,1\n0,0.25\n1,1\n");
  const std::string text =
      "[environment]\nhorizon = 3\n[environment.graph]\nfile = 'graph.csv'\n"
      "[environment.losses]\nkind = 'file'\nfile = 'losses.csv'\n[[learners]]\nlearner = 'exp3'\n";
  const std::string path = scratch.file("files.toml");
  expect_round_trip(text, path);

  const std::string written = to_toml(parse_experiment(text, path));
  scratch.write("losses.csv", "0.5,1\n0,0.25\n1,0.5\n");
  const std::string message = refusal(written);
  EXPECT_NE(message.find("losses.csv: has changed"), std::string::npos) << message;
  scratch.write("losses.csv", "0.5,1\n0,0.25\n");
  EXPECT_EQ(refusal(to_toml(parse_experiment(valid_file(), path))), "accepted");
  try {
    parse_experiment(text, path);
    ADD_FAILURE() << "two rounds of losses were accepted for a horizon of three";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has 2 rounds, expected at least the horizon, 3"),
              std::string::npos)
        << error.what();
  }
}

TEST(ExperimentFile, RefusesADataFileWhosePathIsNotUtf8) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.file("caf\xe9");
  std::filesystem::create_directories(directory);
  std::ofstream(directory + "/graph.csv") << "0,0,1\n1,1,1\n";
  try {
    parse_experiment("[environment]\nhorizon = 5\n[environment.graph]\nfile = 'graph.csv'\n",
                     directory + "/test.toml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("graph.csv: is not UTF-8, expected a path in"),
              std::string::npos)
        << error.what();
  }
}

TEST(ExperimentFile, ReadsDataFilesOnce) {
  const ScratchDirectory scratch;
  scratch.write("graph.csv", "played,seen,weight\n0,1,0.5\n1,0,0.25\n");
  scratch.write("losses.csv", "0.5,1\n0,0.25\n");
  const Experiment experiment = parse_experiment(
      "[environment]\nhorizon = 2\n[environment.graph]\nfile = 'graph.csv'\n"
      "[environment.losses]\nkind = 'file'\nfile = 'losses.csv'\n[[learners]]\nlearner = 'exp3'\n",
      scratch.file("files.toml"));
  std::filesystem::remove(scratch.file("graph.csv"));
  std::filesystem::remove(scratch.file("losses.csv"));
  const Plan plan(experiment);
  const std::unique_ptr<Environment> environment = plan.environment(0);
  const Round first = environment->next();
  EXPECT_EQ(first.graph.weight(1, 0), 0.25);
  EXPECT_EQ(first.losses[1], 1);
  EXPECT_EQ(environment->next().losses[1], 0.25);
}

TEST(ExperimentFile, ParsesATableOfAGraphByItself) {
  const GraphSource source = parse_graph_source("family = 'grid'\nside = 3", "graph");
  const auto& grid = std::get<FamilyGraph>(source).options.as<Grid>();
  EXPECT_EQ(grid.side, 3);
  EXPECT_EQ(grid.spacing, 1);
  try {
    parse_graph_source("family = 'grid'\nsied = 3", "graph");
    ADD_FAILURE() << "an unknown key was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "graph:2: 'sied' is not a key of the graph, expected 'side'");
  }
}

TEST(ExperimentFile, ReadsTheFilesOfTheDirectoryExperiments) {
  const std::string directory = std::string(HEARSAY_SOURCE_DIR) + "/experiments/";
  const Plan comparison(read_experiment(directory + "comparison.toml"));
  EXPECT_EQ(comparison.arms(), 25);
  EXPECT_EQ(comparison.cells().size(), 3 * (1 + 21 + 21 + 1 + 1) + 3);
  const Plan noisy(read_experiment(directory + "comparison-noisy.toml"));
  EXPECT_EQ(noisy.cells().size(), comparison.cells().size());
  EXPECT_EQ(noisy.cells().front().learner.noise_bound, 2);
  EXPECT_EQ(Plan(read_experiment(directory + "quickstart.toml")).cells().size(), 6);
}

TEST(ClosestName, HasTheSmallestEditDistance) {
  const std::vector<std::string_view> known = {"horizon", "noise", "noise_bound"};
  EXPECT_EQ(closest_name("horizn", known), "horizon");    // a missing letter
  EXPECT_EQ(closest_name("horiizon", known), "horizon");  // an extra letter
  EXPECT_EQ(closest_name("hoirzon", known), "horizon");   // two swapped letters
  EXPECT_EQ(closest_name("noise_bond", known), "noise_bound");
  EXPECT_EQ(closest_name("graph", known), "");
  const std::vector<std::string_view> learners = {"exp3", "exp3-ix", "exp3-wix", "exp3-ivx"};
  EXPECT_EQ(closest_name("exp3wix", learners), "exp3-wix");  // exp3-ix has the same edit distance
  EXPECT_EQ(closest_name("EXP3_IX", learners), "exp3-ix");
  EXPECT_EQ(closest_name("exp-3", learners), "exp3");
  EXPECT_EQ(expected_one_of("graph", known), "expected one of horizon, noise, noise_bound");
}

}  // namespace
}  // namespace hearsay
