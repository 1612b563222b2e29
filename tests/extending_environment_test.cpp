// The examples of docs/extending.md: a graph family and a kind of losses that a user's own program
// registers, and that experiment files can then use.

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/hearsay.h"
#include "hearsay/work/plan.h"
#include "tests/message_of.h"

namespace hearsay {
namespace {

// The blocks between these marks are quoted by docs/extending.md.
// [begin options]
// Two rows of arms; an arm shows its neighbours in the row and the one opposite.
struct Ladder {
  std::size_t rungs = 4;
  double weight = 0.5;

  std::size_t arm_count() const { return 2 * rungs; }
  static const FieldTable<Ladder>& fields();
};

const FieldTable<Ladder>& Ladder::fields() {
  static const FieldTable<Ladder> table = {
      field("rungs", &Ladder::rungs, WholeRange{1, 1000}, "pairs of arms"),
      field("weight", &Ladder::weight, RealRange{0, 1}, "weight of every arc"),
  };
  return table;
}
// [end options]

// [begin family]
Graph make_ladder(const Ladder& options) {
  check_options(options);
  std::vector<Arc> arcs;
  const auto connect = [&](std::size_t a, std::size_t b) {
    arcs.push_back({static_cast<Arm>(a), static_cast<Arm>(b), options.weight});
    arcs.push_back({static_cast<Arm>(b), static_cast<Arm>(a), options.weight});
  };
  for (std::size_t i = 0; i < options.rungs; ++i) {
    connect(2 * i, 2 * i + 1);
    if (i + 1 < options.rungs) {
      connect(2 * i, 2 * i + 2);
      connect(2 * i + 1, 2 * i + 3);
    }
  }
  return Graph::sparse(options.arm_count(), arcs);
}
// [end family]

// [begin losses]
// The loss of an arm is 1 if it was played in the round before, else 1/2.
struct Fatigue {
  std::size_t arms = 0;

  static const FieldTable<Fatigue>& fields() {
    static const FieldTable<Fatigue> table = {};
    return table;
  }
};

class FatigueLosses final : public AdaptiveLosses {
 public:
  explicit FatigueLosses(std::size_t arms) : arms_(arms), last_(arms) {}

  std::size_t arms() const override { return arms_; }
  void next(std::span<double> out) override {
    for (std::size_t arm = 0; arm < arms_; ++arm) {
      out[arm] = arm == last_ ? 1 : 0.5;
    }
  }
  void played(Arm arm) override { last_ = arm; }
  std::vector<double> save() const override { return {static_cast<double>(last_)}; }
  void restore(std::span<const double> state) override {
    if (state.size() != 1 || !(state[0] >= 0 && state[0] <= static_cast<double>(arms_))) {
      throw Error("losses", "the state is not one of these losses");
    }
    last_ = static_cast<std::size_t>(state[0]);
  }

 private:
  std::size_t arms_;
  std::size_t last_;  // arms_ before the first round
};

std::unique_ptr<AdaptiveLosses> make_fatigue(const Fatigue& options, const Stream& /*stream*/) {
  return std::make_unique<FatigueLosses>(options.arms);
}
// [end losses]

void register_environment_once() {
  static const bool registered = [] {
    register_graph_family(graph_family({"ladder", "two rows of arms", "docs/extending.md"},
                                       "--rungs 4", Ladder{}, make_ladder));
    register_loss_kind(
        loss_kind({"fatigue", "the arm that was just played has loss 1", "docs/extending.md"},
                  Fatigue{}, make_fatigue));
    return true;
  }();
  ASSERT_TRUE(registered);
}

const char* const kExperiment = R"(
repetitions = 5
sequences = 2
[environment]
horizon = 100
[environment.graph]
family = "ladder"
rungs = 3
[environment.losses]
kind = "fatigue"
[[learners]]
learner = "exp3-wix"
)";

TEST(Extending, AFamilyAndAKindOfLossesAreReadCheckedAndWritten) {
  register_environment_once();
  const Experiment experiment = parse_experiment(kExperiment, "ladder.toml");
  EXPECT_EQ(to_toml(parse_experiment(to_toml(experiment), "again.toml")), to_toml(experiment));
  EXPECT_NE(to_toml(experiment).find("family = \"ladder\"\nrungs = 3\nweight = 0.5\n"),
            std::string::npos);
  try {
    parse_experiment(kExperiment, "ladder.toml",
                     std::vector<Override>{"environment.graph.rungs=0"});
    ADD_FAILURE() << "a ladder without rungs was accepted";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "--set environment.graph.rungs: rungs: is 0, expected a whole number from 1 to "
                 "1000");
  }
}

// A uniform learner repeats an arm of the six with probability 1/6.
TEST(Extending, AFamilyAndAKindOfLossesArePlayed) {
  register_environment_once();
  const ExperimentResult result = run_experiment(parse_experiment(
      kExperiment, "ladder.toml",
      std::vector<Override>{"learners=[{learner='uniform'}]", "environment.horizon=1000"}));
  EXPECT_EQ(result.plan.arms(), 6);
  const std::vector<ResultRow> rows = at_horizon(result.plan, result.rows);
  ASSERT_EQ(rows.size(), 1U);
  const double rounds = 1000;
  const double runs = 10;
  const double standard_error = 0.5 * std::sqrt(rounds * (5.0 / 36) / runs);
  EXPECT_NEAR(rows[0].loss, rounds * (0.5 + 0.5 / 6), 5 * standard_error);
}

TEST(Extending, NamesCannotBeTakenTwice) {
  register_environment_once();
  EXPECT_THROW(register_graph_family(graph_family({"ladder", "", ""}, "", Ladder{}, make_ladder)),
               Error);
  EXPECT_THROW(register_graph_family(graph_family({"grid", "", ""}, "", Ladder{}, make_ladder)),
               Error);
  EXPECT_THROW(register_loss_kind(loss_kind({"walks", "", ""}, Fatigue{}, make_fatigue)), Error);
}

// A ladder whose options state one arm too few.
struct ShortLadder : Ladder {
  std::size_t arm_count() const { return 2 * rungs - 1; }
  static const FieldTable<ShortLadder>& fields() {
    static const FieldTable<ShortLadder> table = {};
    return table;
  }
};

TEST(Extending, AFamilyThatStatesAWrongNumberOfArmsIsRefused) {
  register_graph_family(
      graph_family({"short-ladder", "", ""}, "", ShortLadder{},
                   [](const ShortLadder& options) { return make_ladder(options); }));
  const std::string text = R"(
[environment]
horizon = 100
[environment.graph]
family = "short-ladder"
[[learners]]
learner = "exp3"
)";
  EXPECT_EQ(message_of([&] { Plan(parse_experiment(text, "short.toml")); }),
            "family: 'short-ladder' made a graph of 8 arms, expected 7, the number that it states "
            "for these options");
}

TEST(Extending, LossesThatReceiveTheArmPlayedAreAdaptive) {
  register_environment_once();
  EXPECT_TRUE(find_loss_kind("fatigue").is_adaptive);
  EXPECT_TRUE(find_loss_kind("adversary").is_adaptive);
  EXPECT_FALSE(find_loss_kind("walks").is_adaptive);
  // Each run has its own adaptive losses; if runs shared them, the arms played in other runs would
  // count.
  const auto losses = make_fatigue({.arms = 6}, Stream(1, Purpose::losses));
  std::vector<double> round(6);
  losses->next(round);
  EXPECT_EQ(round, std::vector<double>(6, 0.5));
  losses->played(2);
  losses->next(round);
  EXPECT_EQ(round[2], 1);
}

// Losses that are 0.5 for two rounds, and then another number for the last arm.
class LossesThatLeaveTheRange final : public Losses {
 public:
  explicit LossesThatLeaveTheRange(double last) : last_(last) {}

  std::size_t arms() const override { return 3; }
  void next(std::span<double> out) override {
    std::ranges::fill(out, 0.5);
    if (++round_ == 3) {
      out[2] = last_;
    }
  }
  std::vector<double> save() const override { return {}; }
  void restore(std::span<const double> /*state*/) override {}

 private:
  double last_;
  int round_ = 0;
};

TEST(Extending, LossesOutOfRangeAreRefused) {
  for (const auto& [loss, text] : std::vector<std::pair<double, std::string>>{
           {1.5, "1.5"}, {-1e-300, "-1e-300"}, {std::nan(""), "nan"}}) {
    const auto environment = make_environment(std::make_unique<LossesThatLeaveTheRange>(loss),
                                              graphs::fixed(make_empty({.arms = 3})));
    environment->next();
    environment->next();
    EXPECT_EQ(message_of([&] { environment->next(); }),
              "losses: round 3, arm 2: is " + text + ", expected a number in [0, 1]");
  }
}

}  // namespace
}  // namespace hearsay
