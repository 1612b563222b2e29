#include "hearsay/play/replay.h"

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/message_of.h"
#include "tests/random_source.h"
#include "tests/reference.h"

namespace hearsay {
namespace {

using reference::Reference;
using reference::RoundNumbers;
using reference::Setting;
using reference::Vector;
using reference::Weights;

// The tolerance is relative, except for numbers below the normal range, which have too few digits.
void expect_close(double actual, double expected, const std::string& name) {
  const double scale = std::max(std::abs(actual), std::abs(expected));
  EXPECT_LE(std::abs(actual - expected), 1e-10 * scale + 1e-300)
      << name << ": " << actual << " and " << expected;
}

Weights as_rows(const std::vector<double>& weights, std::size_t n) {
  Weights rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.emplace_back(weights.begin() + static_cast<std::ptrdiff_t>(i * n),
                      weights.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  }
  return rows;
}

std::string arcs_text(const Weights& s) {
  std::string text;
  for (std::size_t j = 0; j < s.size(); ++j) {
    for (std::size_t i = 0; i < s.size(); ++i) {
      if (i != j && s[j][i] > 0) {
        text += fmt::format("{}[{}, {}, {}]", text.empty() ? "" : ", ", j, i, s[j][i]);
      }
    }
  }
  return "[" + text + "]";
}

std::string weights_text(const Weights& s) {
  std::string text;
  for (const Vector& row : s) {
    text += fmt::format("{}[{}]", text.empty() ? "" : ", ", fmt::join(row, ", "));
  }
  return "[" + text + "]";
}

LearnerSpec spec_of(const Setting& setting) {
  LearnerSpec spec;
  spec.name = setting.learner;
  spec.noise_bound = setting.noise_bound;
  spec.rate = setting.static_eta;
  spec.exploration = setting.fixed_gamma;
  if (setting.learner == "exp3-ixb" || setting.learner == "exp3-ixt") {
    spec.threshold = setting.eps;
  }
  if (setting.learner == "exp3-wix") {
    spec.delta = setting.delta;
    spec.tuning = setting.sharp ? Tuning::sharp : Tuning::paper;
  }
  spec.out_of_range = OutOfRange::refuse;
  return spec;
}

// A log of rounds that the reference plays, and the numbers of each round.
struct ReferenceLog {
  std::string log;
  std::vector<RoundNumbers> numbers;
};

ReferenceLog play(const Setting& setting, std::size_t rounds, std::uint64_t seed) {
  RandomSource dice(seed);
  Reference reference(setting);
  ReferenceLog played;
  played.log = fmt::format("{{\"arms\": {}}}\n", setting.n);
  Weights s;
  for (std::size_t t = 0; t < rounds; ++t) {
    std::string graph;
    if (t == 0 || dice.chance(0.3)) {
      s = as_rows(random_weights(dice, setting.n), setting.n);
      if (setting.learner == "hedge") {
        s = Weights(setting.n, Vector(setting.n, 1.0));
      }
      graph =
          dice.chance(0.5) ? ", \"weights\": " + weights_text(s) : ", \"arcs\": " + arcs_text(s);
    }
    const Vector p = reference.probabilities();
    double u = dice.uniform();
    std::size_t arm = 0;
    while (arm + 1 < setting.n && (u >= p[arm] || p[arm] == 0)) {
      u -= p[arm++];
    }
    Vector c(setting.n);
    std::string observations;
    for (std::size_t i = 0; i < setting.n; ++i) {
      const double noise = setting.noise_bound * (2 * dice.uniform() - 1);
      c[i] = s[arm][i] * dice.uniform() + (1 - s[arm][i]) * noise;
      // At threshold 0 exp3-ixb uses observations of weight 0 too, so the log must have them.
      const bool is_unseen = s[arm][i] == 0 && dice.chance(0.5) && setting.learner != "exp3-ixb";
      observations +=
          fmt::format("{}{}", i == 0 ? "" : ", ", is_unseen ? "null" : fmt::format("{}", c[i]));
    }
    played.log +=
        fmt::format("{{\"arm\": {}, \"observations\": [{}]{}}}\n", arm, observations, graph);
    played.numbers.push_back(reference.observe(arm, c, s));
  }
  return played;
}

void expect_replay_agrees(const Setting& setting, std::size_t rounds, std::uint64_t seed) {
  const ReferenceLog played = play(setting, rounds, seed);
  std::istringstream log(played.log);
  std::size_t t = 0;
  replay(log, "log", spec_of(setting), [&](const ReplayedRound& round) {
    const RoundNumbers& expected = played.numbers.at(t++);
    ASSERT_EQ(round.round, t);
    expect_close(round.details.rate, expected.eta, "rate");
    expect_close(round.details.exploration, expected.gamma, "exploration");
    expect_close(round.details.q, expected.q, "q");
    for (std::size_t i = 0; i < setting.n; ++i) {
      expect_close(round.details.probabilities[i], expected.p[i], "probability");
      expect_close(round.details.estimates[i], expected.estimates[i], "estimate");
    }
    ASSERT_EQ(round.bound.has_value(), expected.bound.has_value());
    if (round.bound) {
      expect_close(*round.bound, *expected.bound, "bound");
    }
  });
  EXPECT_EQ(t, rounds);
}

struct LearnerCase {
  const char* learner;
  double eps;
  double delta;
  bool sharp;

  friend std::ostream& operator<<(std::ostream& out, const LearnerCase& learner_case) {
    return out << learner_case.learner << ", eps " << learner_case.eps << ", delta "
               << learner_case.delta << (learner_case.sharp ? ", sharp" : ", paper");
  }
};

class ReplayAgrees : public ::testing::TestWithParam<LearnerCase> {};

TEST_P(ReplayAgrees, WithThePlainReference) {
  const LearnerCase learner_case = GetParam();
  std::uint64_t seed = 1;
  for (const std::size_t n : {1U, 2U, 3U, 7U, 40U}) {
    for (const double bound : {0.0, 0.5, 1.0, 2.0}) {
      if (n == 40 && bound != 1) {
        continue;  // writing and reading so large a log takes most of the time of the test
      }
      // 0 stands for an adaptive rate. Without exploration, a large rate amplifies rounding errors:
      // an error of the probability p changes the estimate c / p, and that changes the next p by
      // rate / p times as much. If this factor stays above 1, two programs that round differently
      // diverge. At 0.05 it does not.
      for (const double eta : {0.0, 0.01, 0.05}) {
        for (const double gamma :
             {-1.0, 0.0, 0.1}) {  // -1 stands for the exploration of the theory
          Setting setting{learner_case.learner,
                          n,
                          bound,
                          std::nullopt,
                          std::nullopt,
                          learner_case.eps,
                          learner_case.delta,
                          learner_case.sharp};
          const bool has_no_exploration =
              setting.learner == "uniform" || setting.learner == "hedge";
          if (eta > 0 && setting.learner != "uniform") {
            setting.static_eta = eta;
          }
          if (gamma >= 0 && !has_no_exploration) {
            setting.fixed_gamma = gamma;
          }
          SCOPED_TRACE(
              fmt::format("{} n={} R={} eta={} gamma={}", setting.learner, n, bound, eta, gamma));
          expect_replay_agrees(setting, 200, ++seed);
          if (HasFailure()) {
            return;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    LearnersOfTheModel, ReplayAgrees,
    ::testing::Values(LearnerCase{"exp3", 0, 1, false}, LearnerCase{"exp3-ix", 0, 1, false},
                      LearnerCase{"exp3-ixb", 0, 1, false}, LearnerCase{"exp3-ixb", 0.6, 1, false},
                      LearnerCase{"exp3-ixb", 1, 1, false}, LearnerCase{"exp3-basic", 0, 1, false},
                      LearnerCase{"exp3-ixt", 0, 1, false}, LearnerCase{"exp3-ixt", 0.6, 1, false},
                      LearnerCase{"exp3-ixt", 1, 1, false}, LearnerCase{"exp3-wix", 0, 1, false},
                      LearnerCase{"exp3-wix", 0, 2.5, false}, LearnerCase{"exp3-wix", 0, 1, true},
                      LearnerCase{"exp3-ivx", 0, 1, false}, LearnerCase{"uniform", 0, 1, false},
                      LearnerCase{"hedge", 0, 1, false}),
    [](const auto& parameter) {
      std::string name =
          fmt::format("{}_{}_{}_{}", parameter.param.learner, parameter.param.eps,
                      parameter.param.delta, parameter.param.sharp ? "sharp" : "paper");
      std::ranges::replace_if(
          name, [](char c) { return c == '-' || c == '.'; }, '_');
      return name;
    });

std::string replay_error(const std::string& log,
                         LearnerSpec spec = {.name = "exp3-wix",
                                             .out_of_range = OutOfRange::refuse}) {
  std::istringstream stream(log);
  return message_of([&] { replay(stream, "log", std::move(spec), [](const ReplayedRound&) {}); });
}

TEST(Replay, ShowsTheTrueLossesToALearnerThatMustSeeThem) {
  const std::string header = "{\"arms\": 2}\n";
  const std::string round = R"({"arm": 0, "observations": [0.5, 0.1], "arcs": [[0, 1, 0.5]])";
  EXPECT_NE(replay_error(header + round + "}", {.name = "hedge"}), "");
  std::istringstream log(header + round + R"(, "losses": [0.5, 0.75]})");
  replay(log, "log", {.name = "hedge"}, [](const ReplayedRound& replayed) {
    EXPECT_EQ(replayed.details.estimates[0], 0.5);
    EXPECT_EQ(replayed.details.estimates[1], 0.75);
  });
}

TEST(Replay, NamesTheLineThatIsWrong) {
  const std::string header = "{\"arms\": 2}\n";
  const std::string good = R"({"arm": 0, "observations": [0.5, null], "arcs": []})";
  EXPECT_EQ(replay_error(header + good + "\n" + good), "");
  struct Case {
    const char* line;
    const char* message;
  };
  for (const auto& [line, message] : std::vector<Case>{
           {R"({"arm": 2, "observations": [0.5, null]})", "\"arm\" is 2"},
           {R"({"arm": -1, "observations": [0.5, null]})", "\"arm\" is -1"},
           {R"({"arm": 0.5, "observations": [0.5, null]})", "\"arm\" is 0.5"},
           {R"({"arm": 0, "observations": [0.5]})", "array of 1, expected an array of 2"},
           {R"({"arm": 0, "observations": [null, null]})", "observation of arm 0 is missing"},
           {R"({"arm": 0, "observations": ["x", null]})", "observation of arm 0 is string"},
           {R"({"arm": 0, "observations": [1.5, null]})", "observation of arm 0 is 1.5"},
           {R"({"arm": 0, "observations": [0.5, 1.5]})", "observation of arm 1 is 1.5"},
           {R"({"arm": 0, "observations": [1e999, null]})", "too large"},
           {R"({"observations": [0.5, null]})", "no \"arm\""},
           {R"({"arm": 0})", "no \"observations\""},
           {R"({"arm": 0, "observations": [0.5, null], "wieghts": []})", "key \"wieghts\""},
           {R"({"arm": 0, "observations": [0.5, null], "weights": [[1, 0]]})", "\"weights\" is"},
           {R"({"arm": 0, "observations": [0.5, null], "weights": [[1, 0], [0]]})", "row 1"},
           {R"({"arm": 0, "observations": [0.5, null], "weights": [[1, 2], [0, 1]]})",
            "weight(0, 1) is 2"},
           {R"({"arm": 0, "observations": [0.5, null], "weights": [[1, null], [0, 1]]})",
            "weight(0, 1) is null"},
           {R"({"arm": 0, "observations": [0.5, null], "weights": [[1, 0], [0, 0.5]]})",
            "weight(1, 1) is 0.5"},
           {R"({"arm": 0, "observations": [0.5, null], "arcs": [[0, 1, 0.5], [0, 1, 0.5]]})",
            "arc (0, 1) is given twice"},
           {R"({"arm": 0, "observations": [0.5, null], "arcs": [[0, 2, 0.5]]})",
            "the arm seen is 2"},
           {R"({"arm": 0, "observations": [0.5, null], "arcs": [[0, 1]]})", "arc 0"},
           {R"({"arm": 0, "observations": [0.5, null], "arcs": 3})", "\"arcs\" is number"},
           {R"({"arm": 0, "observations": [0.5, null], "arcs": [], "weights": []})",
            "expected one of them"},
           {R"([1, 2])", "is array"},
           {R"({"arm": 0,)", "not JSON"},
       }) {
    const std::string error = replay_error(header + good + "\n" + line);
    EXPECT_EQ(error.rfind("log:3: ", 0), 0U) << error;
    EXPECT_NE(error.find(message), std::string::npos) << error << " for " << line;
  }
  EXPECT_EQ(replay_error("").rfind("log:1: ", 0), 0U);
  EXPECT_EQ(replay_error("{\"arms\": 0}").rfind("log:1: ", 0), 0U);
  EXPECT_EQ(replay_error("{\"arms\": 2, \"x\": 1}").rfind("log:1: ", 0), 0U);
  EXPECT_EQ(replay_error(header + R"({"arm": 0, "observations": [0.5, null]})").rfind("log:2: ", 0),
            0U);
}

TEST(Replay, AllocatesNothingForAHeaderAlone) {
  EXPECT_EQ(replay_error("{\"arms\": 4000000000}"), "");
  EXPECT_NE(
      replay_error("{\"arms\": 4000000000}\n{\"arm\": 0, \"observations\": [1], \"arcs\": []}"),
      "");
}

}  // namespace
}  // namespace hearsay
