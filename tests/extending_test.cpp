// The examples of docs/extending.md: learners that a program registers are played, saved and
// restored like those of the library.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <numeric>
#include <ostream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/bytes.h"
#include "hearsay/hearsay.h"
#include "hearsay/learner/coming_graph.h"
#include "hearsay/learner/draw.h"
#include "tests/message_of.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

// The blocks between these marks are quoted by docs/extending.md.
// [begin index policy]
// The mean loss minus a confidence radius twice as large as that of ucb-n.
LearnerRow ucb_wide() {
  return index_policy_row(
      {.name = "ucb-wide",
       .summary = "ucb-n with twice its confidence radius; no guarantee against an adversary",
       .reference = "docs/extending.md"},
      [](const LearnerSpec& /*spec*/) {
        return [](const ArmStatistics& arm) {
          const double rounds = static_cast<double>(arm.round);
          return arm.mean - 2 * std::sqrt(8 * std::log(rounds) / arm.precision);
        };
      });
}
// [end index policy]

// [begin parts]
// Exp3 mixed with the uniform distribution, whose share is a tenth. Its rate may be set.
LearnerRow exp3_mixed() {
  return ftrl_row({.name = "exp3-mixed",
                   .summary = "bandit feedback alone; a tenth of the draws is uniform",
                   .reference = "Auer, Cesa-Bianchi, Freund, Schapire, SIAM J. Comput. 2002",
                   .parameters = {{.name = "rate"}}},
                  [](const LearnerSpec& spec) -> FtrlParts {
                    return {
                        .estimator = std::make_unique<WeightedEstimator>(weightings::own_loss()),
                        .leader = regularized_leader(spec.arms, regularizers::shannon()),
                        .schedule = schedules::by_round(spec.arms, static_cast<double>(spec.arms)),
                        .mixing =
                            [](const MixingInput& /*input*/, std::span<double> distribution) {
                              const auto arms = static_cast<double>(distribution.size());
                              std::ranges::fill(distribution, 1 / arms);
                              return 0.1;
                            },
                        .theorems = {}};
                  });
}
// [end parts]

// [begin own parts]
// Counts an observation by the square root of its weight. The coverage is the weight times the
// gain, so that estimates are unbiased.
class BySquareRoot final : public Weighting {
 public:
  void gains(std::span<const double> weights, std::span<double> out) const override {
    std::ranges::transform(weights, out.begin(), [](double s) { return std::sqrt(s); });
  }
  void coverages(std::span<const double> weights, std::span<double> out) const override {
    std::ranges::transform(weights, out.begin(), [](double s) { return s * std::sqrt(s); });
  }
  double self_gain(double self_weight) const override { return std::sqrt(self_weight); }
  double self_coverage(double self_weight) const override {
    return self_weight * std::sqrt(self_weight);
  }
};

// The rate falls as 1 / cube root of the round, and the exploration is half the rate.
Schedule by_cube_root() {
  Schedule schedule;
  schedule.adaptive_rate = [](const RoundTotals& totals) {
    return 0.5 / std::cbrt(static_cast<double>(totals.rounds + 1));
  };
  schedule.exploration_per_rate = 0.5;
  return schedule;
}

LearnerRow exp3_by_square_root() {
  return ftrl_row({.name = "exp3-by-square-root",
                   .summary = "observations count by the square root of their weight",
                   .reference = "docs/extending.md",
                   .parameters = {{.name = "rate"}, {.name = "exploration"}}},
                  [](const LearnerSpec& spec) -> FtrlParts {
                    return {.estimator = std::make_unique<WeightedEstimator>(
                                std::make_shared<const BySquareRoot>()),
                            .leader = regularized_leader(spec.arms, regularizers::shannon()),
                            .schedule = by_cube_root(),
                            .mixing = {},
                            .theorems = {}};
                  });
}
// [end own parts]

// [begin learner]
// Draws each arm in proportion to the number of arms that it shows in the coming round, divided by
// 1 + how often it was played.
class WideView final : public LearnerBase<std::monostate>, public Informed, public Randomized {
 public:
  explicit WideView(const LearnerSpec& spec)
      : LearnerBase(spec, Information::graph_before_draw), plays_(spec.arms), law_(spec.arms) {}

  void see_graph(const Graph& graph) override {
    coming_.see(graph, arms());
    double total = 0;
    for (Arm arm = 0; arm < arms(); ++arm) {
      double shown = 0;
      graph.for_each_seen(arm, [&](Arm, double) { ++shown; });
      law_[arm] = shown / (1 + static_cast<double>(plays_[arm]));
      total += law_[arm];
    }
    std::ranges::for_each(law_, [total](double& probability) { probability /= total; });
  }

  Decision choose(const Stream& stream) override {
    return add(draw_arm(law_, stream.uniform(book_.made() + 1)));
  }

  Decision adopt(Arm arm) override {
    book_.check_arm(arm);
    return add(arm);
  }

  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override {
    const Entry& entry = book_.find(decision, feedback);
    checker_.check(graph, feedback);
    // Nothing is refused from here on.
    ++plays_[decision.arm];
    book_.erase(entry);
  }

  std::span<const double> probabilities() const override { return law_; }

  void load(StateReader& reader) override {
    std::ranges::generate(plays_, [&] { return reader.number(); });
    const auto rounds = std::accumulate(plays_.begin(), plays_.end(), std::uint64_t{0});
    book_.load(reader, rounds, [](const Entry* /*before*/) { return std::monostate(); });
  }

 private:
  void save_after_spec(StateWriter& writer) const override {
    std::ranges::for_each(plays_, [&](std::uint64_t plays) { writer.add(plays); });
    book_.save(writer, [](const Entry& /*entry*/, const Entry* /*before*/) {});
  }

  Decision add(Arm arm) {
    return coming_.use_for(
        [&](const Graph& /*graph*/) { return book_.add(arm, law_[arm], std::monostate()); });
  }

  std::vector<std::uint64_t> plays_;
  std::vector<double> law_;
  ComingGraph coming_;
};

LearnerRow wide_view() {
  return {.name = "wide-view",
          .summary = "prefers arms that show many others; informed: sees the graph before the draw",
          .reference = "docs/extending.md",
          .information = Information::graph_before_draw,
          .exact = learner_factory(
              [](const LearnerSpec& spec) { return std::make_unique<WideView>(spec); })};
}
// [end learner]

// [begin run]
// Plays an experiment, and prints the regret of each cell at the horizon: the label and the
// parameters of its learner, and the mean over the runs.
void print_regrets(const std::string& text, std::ostream& out) {
  const ExperimentResult result = run_experiment(parse_experiment(text, "my.toml"));
  for (const ResultRow& row : at_horizon(result.plan, result.rows)) {
    const Cell& cell = result.plan.cells()[row.cell];
    out << cell.label;
    for (const auto& [key, value] : parameters(cell.learner)) {
      if (!value.empty()) {
        out << ' ' << key << '=' << value;
      }
    }
    out << ": " << row.regret << '\n';
  }
}
// [end run]

// Registers the learners above, once for all tests of this program.
void register_learners_once() {
  static const bool registered = [] {
    register_learner(ucb_wide());
    register_learner(exp3_mixed());
    register_learner(exp3_by_square_root());
    register_learner(wide_view());
    return true;
  }();
  ASSERT_TRUE(registered);
}

// Uniform play of 5,000 rounds with five arms loses the gap, 0.4, in four rounds of five: 1,600.
// The regret of a round is at most 1, and 0 if the best arm is played, so that the standard
// deviation of the sum is at most sqrt(0.8 * 5,000) = 63. The limit is four of them below.
constexpr double kBetterThanUniformPlay = 1600 - 4 * 63;

TEST(RegisteredLearner, IsPlayedSavedAndRestoredLikeAnyOther) {
  register_learners_once();
  const Graph graph = make_cycle({.arms = 5});
  for (const char* name : {"ucb-wide", "exp3-mixed", "exp3-by-square-root"}) {
    auto learner = make_learner({.name = name, .arms = 5});
    const auto play = [&](Learner& player, std::uint64_t rounds) {
      const auto environment = make_environment(
          losses::bernoulli({.arms = 5, .gap = 0.4, .best = 3}, Stream(1, Purpose::losses)),
          graphs::fixed(graph));
      hearsay::Run run(*environment, player, {NoiseLaw::uniform, 1}, {.seed = 2});
      run.steps(rounds);
      return run.regret();
    };
    EXPECT_LT(play(*learner, 5000), kBetterThanUniformPlay) << name;
    const std::string state = learner->save();
    const auto restored = restore_learner(state);
    EXPECT_EQ(restored->save(), state);
    EXPECT_EQ(play(*restored, 50), play(*learner, 50));
    EXPECT_EQ(restored->save(), learner->save());
  }
}

// Arm 0 shows all three arms, the others only themselves.
TEST(RegisteredLearner, MayBeAClassOfItsOwn) {
  register_learners_once();
  const Graph graph = Graph::dense(3, {1, 0.5, 0.5, 0, 1, 0, 0, 0, 1});
  const std::vector<Observation> of_all = {{0, 0.5}, {1, 0.2}, {2, 0.2}};
  const Stream draws(1, Purpose::draw);
  auto learner = make_learner({.name = "wide-view", .arms = 3});
  EXPECT_THROW(learner->choose(draws), Error) << "no graph yet";
  informed_of(*learner)->see_graph(graph);
  EXPECT_EQ(std::vector(probabilities_of(*learner).begin(), probabilities_of(*learner).end()),
            (std::vector<double>{0.6, 0.2, 0.2}));
  const Decision first = learner->adopt(0);
  EXPECT_EQ(first.probability, 0.6);
  learner->observe(first, graph, {0, of_all});
  informed_of(*learner)->see_graph(graph);
  EXPECT_EQ(probabilities_of(*learner)[0], 1.5 / 3.5);
  learner->choose(draws);
  EXPECT_EQ(learner->outstanding(), 1U);

  const auto restored = restore_learner(learner->save());
  EXPECT_EQ(restored->save(), learner->save());
  for (int t = 0; t < 20; ++t) {
    informed_of(*learner)->see_graph(graph);
    informed_of(*restored)->see_graph(graph);
    const Decision decision = learner->choose(draws);
    EXPECT_EQ(restored->choose(draws), decision);
    const auto own = decision.arm == 0 ? of_all : std::vector<Observation>{{decision.arm, 0.2}};
    learner->observe(decision, graph, {decision.arm, own});
    restored->observe(decision, graph, {decision.arm, own});
  }
  EXPECT_EQ(restored->save(), learner->save());
}

TEST(RegisteredLearner, IsNamedInAnExperiment) {
  register_learners_once();
  std::ostringstream out;
  print_regrets(R"(
[environment]
horizon = 5000
[environment.graph]
family = "cycle"
arms = 5
[environment.losses]
kind = "bernoulli"
gap = 0.4
best = 3
[[learners]]
learner = "ucb-wide"
[[learners]]
learner = "exp3-mixed"
rate = [0.02, 0.03]
)",
                out);
  std::istringstream lines(out.str());
  for (const std::string cell :
       {"ucb-wide noise_bound=1 engine=exact", "exp3-mixed noise_bound=1 rate=0.02 engine=exact",
        "exp3-mixed noise_bound=1 rate=0.03 engine=exact"}) {
    std::string name;
    std::getline(lines, name, ':');
    EXPECT_EQ(name, cell);
    std::string regret;
    std::getline(lines, regret);
    EXPECT_GT(std::stod(regret), 0);
    EXPECT_LT(std::stod(regret), kBetterThanUniformPlay) << cell;
  }
}

// The mean of the estimates over the draw, computed arm by arm, without noise and exploration.
TEST(RegisteredLearner, WithAWeightingAndAScheduleOfItsOwnUsesThem) {
  register_learners_once();
  const Graph graph = Graph::dense(3, {1, 0.5, 0.01, 0.25, 1, 1, 0.04, 0.81, 1});
  const std::vector<double> losses = {0.3, 0.9, 0.5};
  std::vector<double> mean(3);
  for (Arm played = 0; played < 3; ++played) {
    const auto learner = make_learner({.name = "exp3-by-square-root", .arms = 3, .exploration = 0});
    std::vector<Observation> seen;
    graph.for_each_seen(played, [&](Arm arm, double s) { seen.push_back({arm, s * losses[arm]}); });
    const Decision decision = learner->adopt(played);
    learner->observe(decision, graph, {played, seen});
    const RoundDetails round = last_round_of(*learner).value();
    EXPECT_EQ(round.rate, 0.5);
    for (Arm arm = 0; arm < 3; ++arm) {
      mean[arm] += decision.probability * round.estimates[arm];
    }
    learner->observe(learner->adopt(played), graph, {played, seen});
    EXPECT_DOUBLE_EQ(last_round_of(*learner)->rate, 0.5 / std::cbrt(2.0));
  }
  for (Arm arm = 0; arm < 3; ++arm) {
    EXPECT_NEAR(mean[arm], losses[arm], 1e-14);
  }
}

TEST(RegisteredLearner, IsListedAndItsParametersAreChecked) {
  register_learners_once();
  const auto names = learner_catalogue();
  EXPECT_NE(std::ranges::find(names, "ucb-wide", &CatalogueEntry::name), names.end());
  EXPECT_NO_THROW(make_learner({.name = "exp3-mixed", .arms = 5, .rate = 0.1}));
  EXPECT_THROW(make_learner({.name = "exp3-mixed", .arms = 5, .exploration = 0.1}), Error);
  EXPECT_THROW(make_learner({.name = "exp3-mixed", .arms = 5, .rate = -1}), Error);
  EXPECT_THROW(make_learner({.name = "ucb-wide", .arms = 5, .rate = 0.1}), Error);
  EXPECT_THROW(make_learner({.name = "ucb-wide", .arms = 5, .engine = Engine::lazy}), Error);
  EXPECT_FALSE(has_lockstep({.name = "ucb-wide", .arms = 5}));
  EXPECT_FALSE(is_lazy({.name = "ucb-wide", .arms = 100'000, .engine = Engine::automatic}));
}

TEST(RegisteredLearner, AcceptsAllWordsOfAFieldIfItNamesNone) {
  const auto parameters = learner_row("exp3-ivc").parameters;
  const auto noise = std::ranges::find(parameters, "noise", &LearnerParameter::name);
  ASSERT_NE(noise, parameters.end());
  EXPECT_TRUE(std::ranges::equal(noise->words, kNoiseLevels));
}

TEST(RegisteredLearner, MustHaveANewNameAndKnownParameters) {
  register_learners_once();
  EXPECT_EQ(message_of([] { register_learner(ucb_wide()); }),
            "learner: 'ucb-wide' is registered already, expected another name");
  LearnerRow exp3 = ucb_wide();
  exp3.name = "exp3";
  EXPECT_THROW(register_learner(exp3), Error);
  LearnerRow unknown = ucb_wide();
  unknown.name = "ucb-unknown";
  unknown.parameters = {{.name = "speed"}};
  EXPECT_THROW(register_learner(unknown), Error);
}

TEST(RegisteredLearner, MustHaveItsFunctionsAndValidDefaults) {
  const auto refusal = [](const auto& change) {
    LearnerRow row = ucb_wide();
    row.name = "ucb-refused";
    change(row);
    return message_of([&] { register_learner(row); });
  };
  EXPECT_EQ(refusal([](LearnerRow& row) { row.exact.restore = {}; }),
            "learner: 'ucb-refused' has no function that makes or restores it, expected "
            "LearnerRow::exact to have both");
  EXPECT_EQ(refusal([](LearnerRow& row) { row.parameters = {{.name = "order", .fallback = 2.0}}; }),
            "learner: the default of ucb-refused: order: is 2, expected a number in [0.01, 0.99]");
  EXPECT_EQ(refusal([](LearnerRow& row) {
              row.parameters = {{.name = "tuning", .words = {"paper", "best"}}};
            }),
            "learner: ucb-refused allows 'best' for tuning, expected one of paper, sharp, "
            "cost, ada, iw, rv");
  EXPECT_EQ(refusal([](LearnerRow& row) {
              row.parameters = {{.name = "tuning", .fallback = "ada", .words = {"paper", "sharp"}}};
            }),
            "learner: ucb-refused names 'ada' for tuning, expected one of paper, sharp");
  EXPECT_EQ(
      refusal([](LearnerRow& row) {
        row.parameters = {{.name = "tuning", .words = {"paper", "sharp"}, .our_words = {"ada"}}};
      }),
      "learner: ucb-refused names 'ada' for tuning, expected one of paper, sharp");
  EXPECT_EQ(refusal([](LearnerRow& row) {
              row.parameters = {{.name = "rate"}, {.name = "rate"}};
            }),
            "learner: ucb-refused has the parameter 'rate' twice, expected it once");
  EXPECT_EQ(
      refusal([](LearnerRow& row) {
        row.parameters = {{.name = "rate", .fallback = 0.5, .required = true}};
      }),
      "learner: ucb-refused requires 'rate' and has a default for it, expected one of the two");
  EXPECT_EQ(
      refusal([](LearnerRow& row) { row.parameters = {{.name = "noise_bound"}}; }),
      "learner: ucb-refused has the parameter 'noise_bound', which every learner has, expected "
      "only others");
  EXPECT_EQ(
      refusal([](LearnerRow& row) { row.lazy = LearnerFactory{}; }),
      "learner: 'ucb-refused' has a lazy engine without a function that makes or restores it, "
      "expected LearnerRow::lazy to have both");
  for (const std::string& name : {std::string(), std::string("two\nlines"), std::string("\xff")}) {
    EXPECT_TRUE(refusal([&](LearnerRow& row) {
                  row.name = name;
                }).ends_with("is the name of a row, expected a line of text"));
  }
}

// Says that it must be shown the graph before the draw, but cannot be shown it.
class CannotSeeGraphs final : public LearnerBase<std::monostate> {
 public:
  explicit CannotSeeGraphs(const LearnerSpec& spec)
      : LearnerBase(spec, Information::graph_before_draw) {}

  Decision choose(const Stream& /*stream*/) override { return adopt(0); }
  Decision adopt(Arm arm) override { return book_.add(arm, 1, {}); }
  void observe(const Decision&, const Graph&, const Feedback&) override {}
  void load(StateReader& /*reader*/) override {}

 private:
  void save_after_spec(StateWriter& /*writer*/) const override {}
};

// Such a learner could be made and saved, but its state would be refused.
TEST(RegisteredLearner, MustHaveDefaultsThatFitTogether) {
  LearnerRow row = exp3_mixed();
  row.name = "defaults-apart";
  row.parameters = {{.name = "rate"}, {.name = "delay_rate", .fallback = "count"}};
  register_learner(row);
  EXPECT_EQ(message_of([] { make_learner({.name = "defaults-apart", .arms = 3}); }), "");
  EXPECT_TRUE(message_of([] {
                make_learner({.name = "defaults-apart", .arms = 3, .rate = 0.1});
              }).starts_with("delay_rate: is given besides a rate"));
}

// Reports rely on what a row says, and runs show what the class asks for. The learners of these
// rows are wrong only at some numbers of arms, so that other tests may play all learners.
TEST(RegisteredLearner, MustBeShownWhatItsRowSays) {
  constexpr std::size_t kOtherInformation = 77;
  constexpr std::size_t kNotInformed = 78;
  LearnerRow row = wide_view();
  row.name = "wide-view-sometimes";
  row.exact.make = [make = row.exact.make](const LearnerSpec& spec) -> std::unique_ptr<Learner> {
    if (spec.arms == kOtherInformation) {
      return make_learner({.name = "ucb-n", .arms = spec.arms});
    }
    return spec.arms == kNotInformed ? std::make_unique<CannotSeeGraphs>(spec) : make(spec);
  };
  register_learner(row);
  const auto refusal = [&](std::size_t arms) {
    return message_of([&] { make_learner({.name = row.name, .arms = arms}); });
  };
  EXPECT_EQ(refusal(5), "");
  EXPECT_EQ(refusal(kOtherInformation),
            "learner: 'wide-view-sometimes' has another information() than its row, expected the "
            "same as LearnerRow::information");
  EXPECT_EQ(refusal(kNotInformed),
            "learner: 'wide-view-sometimes' is shown the graph before the draw, expected a class "
            "that implements Informed");
}

// A policy that plays an arm that does not exist, whose index is not a number, or that remembers an
// infinite number.
TEST(IndexPolicy, RefusesArmsAndIndicesThatAreNone) {
  const auto choice_of = [](Policy policy) {
    const auto learner =
        make_policy({.name = "test", .arms = 1}, Information::side_observations, std::move(policy));
    const std::vector<Observation> seen = {{0, 0.5}};
    learner->observe(learner->adopt(0), make_empty({.arms = 1}), {0, seen});
    return message_of([&] { learner->choose(Stream(1, Purpose::draw)); });
  };
  EXPECT_EQ(choice_of([](const PolicyInput&) { return PolicyChoice{.arm = 1}; }),
            "arm 1 does not exist, expected 0 to 0");
  EXPECT_EQ(choice_of(least_index(
                [](const ArmStatistics&) { return std::numeric_limits<double>::quiet_NaN(); })),
            "learner: has the index nan for arm 0, expected a number");
}

TEST(IndexPolicy, RestoresAMemoryOfAnyNumbers) {
  const auto make = [] {
    return make_policy({.name = "test", .arms = 1}, Information::side_observations,
                       [](const PolicyInput& input) {
                         input.memory.push_back(input.memory.empty() ? HUGE_VAL : -HUGE_VAL);
                         return PolicyChoice{};
                       });
  };
  const auto learner = make();
  const std::vector<Observation> seen = {{0, 0.5}};
  learner->observe(learner->adopt(0), make_empty({.arms = 1}), {0, seen});
  learner->choose(Stream(1, Purpose::draw));
  const std::string state = learner->save();
  StateReader reader(state, kLearnerState);
  read_spec(reader);
  const auto restored = make();
  restored->load(reader);
  EXPECT_EQ(restored->save(), state);
}

std::unique_ptr<Learner> make_index_policy(const LearnerSpec& spec, Index index) {
  return make_policy(spec, Information::side_observations, least_index(std::move(index)));
}

// Computes the sums of an index policy by hand: an observation c at weight s counts as a loss of c
// / s, with a variance of at most 1/4 + R^2 ((1 - s) / s)^2.
TEST(IndexPolicy, WeighsObservationsByTheirInverseVariance) {
  const double r = 0.5;
  std::vector<ArmStatistics> statistics;
  const Stream stream(1, Purpose::draw);
  const auto learner = make_index_policy({.name = "test", .arms = 3, .noise_bound = r},
                                         [&](const ArmStatistics& arm) {
                                           statistics.push_back(arm);
                                           return arm.mean;
                                         });
  const Graph graph = Graph::dense(3, {1, 0.5, 1e-7, 0.25, 1, 1, 0, 0.8, 1});
  RandomSource dice(1);
  std::vector<double> precision(3);
  std::vector<double> weighted_sum(3);
  for (std::uint64_t t = 1; t <= 20; ++t) {
    const Arm played = static_cast<Arm>(dice.below(3));
    std::vector<Observation> seen;
    graph.for_each_seen(played, [&](Arm arm, double s) {
      const double value = s * dice.uniform() + (1 - s) * r * (2 * dice.uniform() - 1);
      seen.push_back({arm, value});
      if (s > 1e-6) {
        const double variance = 0.25 + r * r * (1 - s) * (1 - s) / (s * s);
        precision[arm] += 1 / variance;
        weighted_sum[arm] += value / s / variance;
      }
    });
    learner->observe(learner->adopt(played), graph, {played, seen});
  }
  const Decision decision = learner->choose(stream);
  EXPECT_EQ(decision.probability, 1);
  ASSERT_EQ(statistics.size(), 3U);
  Arm best = 0;
  for (Arm arm = 0; arm < 3; ++arm) {
    EXPECT_EQ(statistics[arm].arm, arm);
    EXPECT_EQ(statistics[arm].round, 21U);
    EXPECT_NEAR(statistics[arm].precision, precision[arm], 1e-12 * precision[arm]);
    EXPECT_NEAR(statistics[arm].mean, weighted_sum[arm] / precision[arm], 1e-12);
    best = weighted_sum[arm] / precision[arm] < weighted_sum[best] / precision[best] ? arm : best;
  }
  EXPECT_EQ(decision.arm, best);
}

TEST(IndexPolicy, PlaysUnobservedArmsFirstAndThenTheFirstOfEqualArms) {
  const auto learner = make_index_policy({.name = "test", .arms = 4},
                                         [](const ArmStatistics& arm) { return arm.mean; });
  const Stream stream(1, Purpose::draw);
  const Graph graph = Graph::sparse(4, {{0, 2, 1.0}});
  const auto play = [&](std::vector<Observation> seen) {
    const Decision decision = learner->choose(stream);
    learner->observe(decision, graph, {decision.arm, seen});
    return decision.arm;
  };
  EXPECT_EQ(play({{0, 0.5}, {2, 0.5}}), 0U);
  EXPECT_EQ(play({{1, 0.5}}), 1U);
  EXPECT_EQ(play({{3, 0.5}}), 3U) << "arm 2 has been observed";
  EXPECT_EQ(play({{0, 1.0}, {2, 1.0}}), 0U) << "all are equal";
  EXPECT_EQ(play({{1, 0.5}}), 1U) << "1 and 3 are equal";
}

TEST(IndexPolicy, TakesLateFeedbackInAnyOrder) {
  const auto index = [](const ArmStatistics& arm) { return arm.mean; };
  const auto forward = make_index_policy({.name = "test", .arms = 2}, index);
  const auto backward = make_index_policy({.name = "test", .arms = 2}, index);
  const Graph graph = Graph::sparse(2, {});
  const std::vector<Observation> seen_0 = {{0, 0.75}};
  const std::vector<Observation> seen_1 = {{1, 0.25}};
  for (Learner* learner : {forward.get(), backward.get()}) {
    learner->adopt(0);
    learner->adopt(1);
    EXPECT_EQ(learner->outstanding(), 2U);
  }
  forward->observe({0, 1, 1}, graph, {0, seen_0});
  forward->observe({1, 1, 2}, graph, {1, seen_1});
  backward->observe({1, 1, 2}, graph, {1, seen_1});
  backward->observe({0, 1, 1}, graph, {0, seen_0});
  EXPECT_EQ(forward->save(), backward->save());
  EXPECT_THROW(forward->observe({0, 1, 1}, graph, {0, seen_0}), Error);
}

TEST(IndexPolicy, HasNoProbabilitiesAndNoCertificate) {
  const auto learner = make_index_policy({.name = "test", .arms = 2},
                                         [](const ArmStatistics& arm) { return arm.mean; });
  EXPECT_TRUE(probabilities_of(*learner).empty());
  EXPECT_FALSE(last_round_of(*learner));
  EXPECT_FALSE(certificate_of(*learner));
  EXPECT_EQ(informed_of(*learner), nullptr);
}

std::string text_of(const std::string& path) {
  return read_file(std::filesystem::path(HEARSAY_SOURCE_DIR) / path);
}

TEST(Extending, PageQuotesTheCodeOfThisFile) {
  const std::string source =
      text_of("tests/extending_test.cpp") + text_of("tests/extending_environment_test.cpp");
  const std::string page = text_of("docs/extending.md");
  for (const std::string block :
       {"run", "index policy", "parts", "own parts", "learner", "options", "family", "losses"}) {
    const std::string begin = "// [begin " + block + "]\n";
    const std::size_t start = source.find(begin) + begin.size();
    const std::string quoted = source.substr(start, source.find("// [end " + block + "]") - start);
    EXPECT_NE(page.find("```cpp\n" + quoted + "```"), std::string::npos)
        << "docs/extending.md does not quote this block:\n"
        << quoted;
  }
}

}  // namespace
}  // namespace hearsay
