// Compares learners assembled from parts with plain loops of the same rules.

#include "hearsay/learner/ftrl.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/rows.h"
#include "hearsay/play/run.h"
#include "tests/message_of.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

constexpr std::size_t kArms = 4;

using Vector = std::vector<double>;

FtrlParts exp3_parts(Schedule schedule) {
  return {.estimator = std::make_unique<WeightedEstimator>(weightings::own_loss()),
          .leader = regularized_leader(kArms, regularizers::shannon()),
          .schedule = std::move(schedule),
          .theorems = {}};
}

Vector normalised(Vector weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) {
    weight /= sum;
  }
  return weights;
}

void expect_close(std::span<const double> actual, const Vector& expected, int round) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 1e-12) << "arm " << i << " after round " << round;
  }
}

// Gives the learner and the reference the same losses. `reference(arm, loss)` returns the next
// probabilities.
template <class Reference>
void expect_same_play(Learner& learner, Vector first, Reference&& reference) {
  RandomSource dice(1);
  const Graph graph = make_empty({.arms = kArms});
  Vector expected = std::move(first);
  for (int t = 1; t <= 300; ++t) {
    ASSERT_NO_FATAL_FAILURE(expect_close(probabilities_of(learner), expected, t - 1));
    const Decision decision = learner.choose(Stream(1, Purpose::draw));
    EXPECT_NEAR(decision.probability, expected[decision.arm], 1e-12);
    const double loss = decision.arm == 1 ? dice.uniform() / 2 : dice.uniform();
    const std::vector<Observation> seen = {{decision.arm, loss}};
    learner.observe(decision, graph, {decision.arm, seen});
    expected = reference(decision.arm, loss);
  }
}

// Exp3 as it was first written: exponential weights mixed with the uniform distribution.
TEST(Ftrl, MixesWithAnotherDistribution) {
  const double rate = 0.05;
  const double share = 0.2;
  FtrlParts parts = exp3_parts(schedules::fixed(rate));
  parts.mixing = [=](const MixingInput& input, std::span<double> distribution) {
    EXPECT_EQ(input.rate, rate);
    EXPECT_EQ(input.graph, nullptr);
    std::ranges::fill(distribution, 1.0 / kArms);
    return share;
  };
  const auto learner =
      make_ftrl({.name = "test", .arms = kArms}, Information::side_observations, std::move(parts));
  Vector sums(kArms);
  Vector p(kArms, 1.0 / kArms);
  expect_same_play(*learner, p, [&](Arm arm, double loss) {
    sums[arm] += loss / p[arm];
    Vector weights(kArms);
    std::ranges::transform(sums, weights.begin(),
                           [&](double sum) { return std::exp(-rate * sum); });
    weights = normalised(weights);
    for (std::size_t i = 0; i < kArms; ++i) {
      p[i] = (1 - share) * weights[i] + share / kArms;
    }
    return p;
  });
  EXPECT_GT(probabilities_of(*learner)[1], 0.5) << "it has found the best arm";
}

FtrlParts fixed_share_parts() {
  FtrlParts parts = exp3_parts(schedules::by_round(kArms, 1.0 * kArms));
  parts.leader = fixed_share(kArms, [](const RoundTotals& totals, double /*z*/) {
    return 1 / (static_cast<double>(totals.rounds) + 1);
  });
  return parts;
}

// The running form of fixed share: v = p exp(-rate * estimate), scaled, then (1 - a) v + a / N,
// with rates that fall and shares a = 1 / (t + 1).
TEST(Ftrl, SharesWeightsAfterEachUpdate) {
  const auto learner = make_ftrl({.name = "test", .arms = kArms}, Information::side_observations,
                                 fixed_share_parts());
  Vector p(kArms, 1.0 / kArms);
  int t = 0;
  expect_same_play(*learner, p, [&](Arm arm, double loss) {
    ++t;
    const double rate = std::sqrt(std::log(1.0 * kArms) / (1.0 * kArms * t));
    const double share = 1.0 / (t + 1);
    Vector v = p;
    v[arm] *= std::exp(-rate * loss / p[arm]);
    v = normalised(v);
    for (std::size_t i = 0; i < kArms; ++i) {
      p[i] = (1 - share) * v[i] + share / kArms;
    }
    return p;
  });
}

// The refusal of an FTRL learner named "test" whose parts were changed.
std::string refusal_after(const std::function<void(FtrlParts&)>& change) {
  const LearnerRow row =
      ftrl_row({.name = "test", .summary = "", .reference = ""}, [change](const LearnerSpec&) {
        FtrlParts parts = fixed_share_parts();
        change(parts);
        return parts;
      });
  return message_of([&] { row.exact.make({.name = "test", .arms = kArms}); });
}

TEST(Ftrl, RefusesPartsThatAreMissingOrAreNotDefined) {
  EXPECT_EQ(refusal_after([](FtrlParts&) {}), "");
  const std::string missing =
      "learner: 'test' lacks a part, expected FtrlParts to have an estimator and a leader";
  EXPECT_EQ(refusal_after([](FtrlParts& parts) { parts.estimator = nullptr; }), missing);
  EXPECT_EQ(refusal_after([](FtrlParts& parts) { parts.leader = nullptr; }), missing);
  EXPECT_EQ(refusal_after([](FtrlParts& parts) {
              parts.leader = regularized_leader(kArms + 1, regularizers::shannon());
            }),
            "learner: 'test' has a leader of 5 arms, expected 4");
  EXPECT_EQ(refusal_after([](FtrlParts& parts) { parts.schedule.exploration_per_rate = -0.5; }),
            "learner: 'test' has a schedule with an exploration of -0.5 times the rate, expected a "
            "finite "
            "number >= 0");
  EXPECT_EQ(refusal_after([](FtrlParts& parts) { parts.schedule = {}; }),
            "learner: 'test' has a schedule without a rate, expected Schedule::fixed_rate or "
            "Schedule::adaptive_rate to be set");
  for (const auto& [rate, text] : std::vector<std::pair<double, std::string>>{
           {-1, "-1"},
           {std::numeric_limits<double>::infinity(), "inf"},
           {std::numeric_limits<double>::quiet_NaN(), "nan"}}) {
    EXPECT_EQ(refusal_after([rate = rate](FtrlParts& parts) {
                parts.schedule.adaptive_rate = [rate](const RoundTotals&) { return rate; };
              }),
              "rate: the learner's schedule gives " + text + ", expected a finite number >= 0");
  }
  const std::string not_mixed =
      "learner: 'test' mixes with a distribution whose share or probabilities are not in [0, 1] or "
      "do not sum to 1, expected a distribution";
  EXPECT_EQ(refusal_after([](FtrlParts& parts) { parts.mixing = uniform_mixing(1.5); }), not_mixed);
  EXPECT_EQ(refusal_after([](FtrlParts& parts) {
              parts.mixing = [](const MixingInput&, std::span<double> distribution) {
                std::ranges::fill(distribution, 1.0);
                return 0.5;
              };
            }),
            not_mixed);
}

// The penalty of a bound would be missing without notice.
TEST(Ftrl, RefusesABoundThatReadsTheEntropyOfALeaderWithoutOne) {
  EXPECT_EQ(refusal_after([](FtrlParts& parts) {
              parts.theorems.designated = theorems::entropic({.second_moment = 1});
            }),
            "learner: 'test' has a schedule or a bound that reads the entropy of the "
            "probabilities, expected a leader that has one");
}

// The message of the first round of feedback of an FTRL learner with these parts.
std::string refusal_of_a_round(FtrlParts parts) {
  const auto learner =
      make_ftrl({.name = "test", .arms = kArms}, Information::side_observations, std::move(parts));
  const Graph graph = make_complete({.arms = kArms});
  std::vector<Observation> seen;
  for (Arm arm = 0; arm < kArms; ++arm) {
    seen.push_back({arm, 0.5});
  }
  const Decision decision = learner->adopt(2);
  return message_of([&] { learner->observe(decision, graph, {decision.arm, seen}); });
}

TEST(Ftrl, RefusesAShareThatIsNoShare) {
  FtrlParts parts = fixed_share_parts();
  parts.leader = fixed_share(kArms, [](const RoundTotals&, double) { return 2.0; });
  EXPECT_EQ(refusal_of_a_round(std::move(parts)),
            "learner: has a fixed share of 2, expected a number in [0, 1]");
}

// Returns NaN for one arm.
class NotANumber final : public Estimator {
 public:
  explicit NotANumber(Arm arm) : arm_(arm) {}

  EstimateTerms estimate(const DrawLaw& /*law*/, const CheckedFeedback& /*feedback*/,
                         std::span<double> estimates) override {
    std::ranges::fill(estimates, 0.5);
    estimates[arm_] = std::numeric_limits<double>::quiet_NaN();
    return {};
  }

 private:
  Arm arm_;
};

TEST(Ftrl, RefusesEstimatesThatAreNotNumbers) {
  for (Arm arm = 0; arm < kArms; ++arm) {
    FtrlParts parts = exp3_parts(schedules::fixed(0.1));
    parts.estimator = std::make_unique<NotANumber>(arm);
    EXPECT_TRUE(refusal_of_a_round(std::move(parts)).starts_with("an estimate is too large"))
        << arm;
  }
}

// Arms without an arc between them would cover each other.
class CoversUnseenArms final : public Weighting {
 public:
  void gains(std::span<const double> weights, std::span<double> out) const override {
    std::ranges::copy(weights, out.begin());
  }
  void coverages(std::span<const double> weights, std::span<double> out) const override {
    std::ranges::transform(weights, out.begin(), [](double weight) { return 1 - weight / 2; });
  }
  double self_gain(double self_weight) const override { return self_weight; }
  double self_coverage(double self_weight) const override { return self_weight; }
};

TEST(Ftrl, RefusesAWeightingByWhichArmsThatAreNotSeenAreCovered) {
  FtrlParts parts = exp3_parts(schedules::fixed(0.1));
  parts.estimator = std::make_unique<WeightedEstimator>(std::make_shared<const CoversUnseenArms>());
  EXPECT_EQ(
      refusal_of_a_round(std::move(parts)),
      "learner: has a Weighting with coverage 1 of weight 0, expected 0, or 1 for all weights");
}

// A penalty that is divided by the rate is infinite.
TEST(Ftrl, HasNoBoundWithAPenaltyAtRateZero) {
  for (const auto& theorem :
       {theorems::paper({.second_moment = 1}), theorems::entropic({.second_moment = 1}),
        theorems::tracking(kArms, {.second_moment = 1})}) {
    FtrlParts parts = exp3_parts(schedules::fixed(0));
    parts.theorems.designated = theorem;
    const auto learner = make_ftrl({.name = "test", .arms = kArms}, Information::side_observations,
                                   std::move(parts));
    const std::vector<Observation> seen = {{0, 0.5}};
    for (int t = 0; t < 2; ++t) {
      learner->observe(learner->adopt(0), make_empty({.arms = kArms}), {0, seen});
    }
    const Certificate certificate = certificate_of(*learner).value();
    EXPECT_FALSE(certificate.regret_bound) << theorem->text().name;
    EXPECT_EQ(certificate.bounds.at(0).failure, kBoundTooLarge) << theorem->text().name;
  }
}

TEST(Ftrl, RefusesAnFtrlRuleThatDefinesNoLearner) {
  const auto refusal = [](const FtrlRule& rule) {
    return message_of([&] { ftrl_parts({.name = "test", .arms = kArms}, rule); });
  };
  const FtrlRule good{.weighting = weightings::own_loss(), .schedule = schedules::fixed(0.1)};
  EXPECT_EQ(refusal(good), "");
  FtrlRule rule = good;
  rule.weighting = nullptr;
  EXPECT_EQ(refusal(rule),
            "learner: has an FtrlRule without estimates, expected a weighting, a floor or a "
            "baseline");
  rule = good;
  rule.order = 2;
  EXPECT_EQ(refusal(rule), "learner: has an FtrlRule of order 2, expected a number in (0, 1]");
  rule = good;
  rule.uniform_mixing = -0.5;
  EXPECT_EQ(refusal(rule),
            "learner: has an FtrlRule with uniform mixing -0.5, expected a number in [0, 1]");
}

// Estimates every arm by 1/2, corrected by the observation if there is one. Its theorem uses the
// bias and Q that the estimator reports.
class AroundHalf final : public Estimator {
 public:
  EstimateTerms estimate(const DrawLaw& law, const CheckedFeedback& feedback,
                         std::span<double> estimates) override {
    std::ranges::fill(estimates, 0.5);
    for (const Observation& seen : feedback.observations) {
      estimates[seen.arm] += (seen.value - 0.5) / covered(law, feedback.graph, seen.arm);
    }
    EstimateTerms terms{.q = 0, .bias = 0.125};
    for (Arm i = 0; i < estimates.size(); ++i) {
      terms.q += law.probabilities[i] / covered(law, feedback.graph, i) / 4;
    }
    return terms;
  }

 private:
  // The probability that an arm is seen; weights are 0 or 1 here.
  static double covered(const DrawLaw& law, const Graph& graph, Arm arm) {
    double sum = 0;
    for (Arm j = 0; j < law.probabilities.size(); ++j) {
      sum += law.probabilities[j] * graph.weight(j, arm);
    }
    return sum;
  }
};

class TermsTheorem final : public RegretTheorem {
 public:
  TheoremText text() const override { return {"terms", "of a test", "none"}; }
  RegretTerm term(const RegretRound& round, const RoundTotals& /*before*/) const override {
    return {round.terms.bias + round.rate * round.terms.q};
  }
  RoundNeeds needs() const override { return {}; }
  double start(std::size_t arms, double last_rate) const override {
    return std::log(static_cast<double>(arms)) / last_rate;
  }
};

TEST(Ftrl, TakesEstimatesForArmsThatWereNotObserved) {
  const double rate = 0.1;
  FtrlParts parts = exp3_parts(schedules::fixed(rate));
  parts.estimator = std::make_unique<AroundHalf>();
  parts.theorems.designated = std::make_shared<const TermsTheorem>();
  const auto learner =
      make_ftrl({.name = "test", .arms = kArms}, Information::side_observations, std::move(parts));
  const Graph cycle = make_cycle({.arms = kArms});  // an arm shows itself and its two neighbours
  RandomSource dice(3);
  Vector sums(kArms);
  double bound = std::log(1.0 * kArms) / rate;
  for (int t = 1; t <= 100; ++t) {
    Vector p(kArms);
    std::ranges::transform(sums, p.begin(), [&](double sum) { return std::exp(-rate * sum); });
    p = normalised(p);
    ASSERT_NO_FATAL_FAILURE(expect_close(probabilities_of(*learner), p, t));
    const Arm arm = static_cast<Arm>(dice.below(kArms));
    std::vector<Observation> seen;
    Vector estimates(kArms, 0.5);
    for (Arm i = 0; i < kArms; ++i) {
      const double coverage = 1 - p[(i + 2) % kArms];
      bound += rate * p[i] / coverage / 4;
      if (i != (arm + 2) % kArms) {
        seen.push_back({i, dice.uniform()});
        estimates[i] += (seen.back().value - 0.5) / coverage;
      }
    }
    bound += 0.125;
    learner->observe(learner->adopt(arm), cycle, {arm, seen});
    EXPECT_EQ(last_round_of(*learner)->estimates[(arm + 2) % kArms], 0.5);
    ASSERT_NO_FATAL_FAILURE(expect_close(last_round_of(*learner)->estimates, estimates, t));
    std::ranges::transform(sums, estimates, sums.begin(), std::plus<>());
    ASSERT_NEAR(certificate_of(*learner)->regret_bound.value(), bound, 1e-9);
  }
}

// Mixes in draws of the arms that show the most, for which it needs the graph of the coming round.
LearnerRow informed_row() {
  return ftrl_row({.name = "informed",
                   .summary = "",
                   .reference = "",
                   .information = Information::graph_before_draw},
                  [](const LearnerSpec&) {
                    FtrlParts parts = exp3_parts(schedules::by_round(kArms, 1));
                    parts.mixing = [](const MixingInput& input, std::span<double> distribution) {
                      for (Arm arm = 0; arm < distribution.size(); ++arm) {
                        const auto row = input.graph->weights().row(arm);
                        distribution[arm] = std::accumulate(row.begin(), row.end(), 0.0);
                      }
                      scale_to_one(distribution);
                      return 0.25;
                    };
                    return parts;
                  });
}

TEST(Ftrl, MixesByTheGraphOfTheComingRoundIfItIsInformed) {
  const auto learner = informed_row().exact.make({.name = "informed", .arms = kArms});
  Informed* informed = informed_of(*learner);
  ASSERT_NE(informed, nullptr);
  const Graph star = Graph::dense(kArms, {1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  const Stream stream(1, Purpose::draw);
  EXPECT_THROW(learner->choose(stream), Error) << "it has not been shown the graph";
  EXPECT_THROW(learner->adopt(1), Error);
  EXPECT_THROW(informed->see_graph(make_empty({.arms = kArms + 1})), Error);

  informed->see_graph(star);
  const double uniform_part = 0.75 / kArms;
  expect_close(probabilities_of(*learner),
               {uniform_part + 0.25 * 4 / 7, uniform_part + 0.25 / 7, uniform_part + 0.25 / 7,
                uniform_part + 0.25 / 7},
               0);
  const Decision first = learner->adopt(0);
  EXPECT_THROW(learner->choose(stream), Error) << "the graph was for one decision";
  informed->see_graph(make_empty({.arms = kArms}));
  expect_close(probabilities_of(*learner), Vector(kArms, 1.0 / kArms), 0);
  const Decision second = learner->adopt(1);

  // Each decision keeps the probabilities that it was drawn from.
  const std::vector<Observation> seen_1 = {{1, 1.0}};
  learner->observe(second, make_empty({.arms = kArms}), {1, seen_1});
  EXPECT_NEAR(last_round_of(*learner)->estimates[1], kArms, 1e-12);
  const std::vector<Observation> seen_all = {{0, 1.0}, {1, 0.0}, {2, 0.0}, {3, 0.0}};
  learner->observe(first, star, {0, seen_all});
  EXPECT_NEAR(last_round_of(*learner)->estimates[0], 1 / (uniform_part + 0.25 * 4 / 7), 1e-12);
}

std::unique_ptr<Learner> restore(const LearnerRow& row, const std::string& state) {
  StateReader reader(state, kLearnerState);
  const LearnerSpec spec = read_spec(reader);
  auto learner = row.exact.restore(spec, reader);
  reader.finish();
  return learner;
}

// Late feedback, or a decision that is forgotten, between the graph and the draw changes the
// weights of the arms; the distribution that the graph gives must still be mixed in.
TEST(Ftrl, MixesByTheGraphOfTheComingRoundIfFeedbackComesAfterTheGraph) {
  const Graph star = Graph::dense(kArms, {1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
  const std::vector<Observation> seen = {{1, 1.0}};
  enum class Then { observe, forget };
  for (const Then then : {Then::observe, Then::forget}) {
    const auto probabilities = [&](bool graph_first) {
      const auto learner = informed_row().exact.make({.name = "informed", .arms = kArms});
      informed_of(*learner)->see_graph(star);
      const Decision decision = learner->adopt(1);
      if (graph_first) {
        informed_of(*learner)->see_graph(star);
      }
      if (then == Then::observe) {
        learner->observe(decision, star, {1, seen});
      } else {
        learner->forget(decision);
      }
      if (!graph_first) {
        informed_of(*learner)->see_graph(star);
      }
      const auto current = probabilities_of(*learner);
      Vector drawn(current.begin(), current.end());
      EXPECT_EQ(learner->adopt(0).probability, drawn[0]);
      return drawn;
    };
    EXPECT_EQ(probabilities(true), probabilities(false));
  }
}

TEST(Ftrl, ContinuesFromASavedStateWithTheSameBits) {
  const LearnerRow sharing = ftrl_row({.name = "share", .summary = "", .reference = ""},
                                      [](const LearnerSpec&) { return fixed_share_parts(); });
  for (const LearnerRow& row : {sharing, informed_row()}) {
    const auto learner = row.exact.make({.name = row.name, .arms = kArms});
    auto other = restore(row, learner->save());
    const Graph graph = make_cycle({.arms = kArms});
    for (std::uint64_t t = 1; t <= 30; ++t) {
      Decision decision;
      for (Learner* each : {learner.get(), other.get()}) {
        if (Informed* informed = informed_of(*each)) {
          informed->see_graph(graph);
        }
        decision = each->choose(Stream(2, Purpose::draw));
      }
      other = restore(row, other->save());
      std::vector<Observation> seen;
      graph.for_each_seen(decision.arm, [&](Arm arm, double) { seen.push_back({arm, 0.5}); });
      learner->observe(decision, graph, {decision.arm, seen});
      other->observe(decision, graph, {decision.arm, seen});
      ASSERT_EQ(other->save(), learner->save()) << row.name;
    }
  }
}

TEST(Ftrl, RefusesAStateWhoseProbabilitiesAreNotProbabilities) {
  const LearnerRow row = ftrl_row({.name = "share", .summary = "", .reference = ""},
                                  [](const LearnerSpec&) { return fixed_share_parts(); });
  StateWriter writer(kLearnerState);
  write_spec(writer, {.name = "share", .arms = kArms});
  for (std::size_t i = 0; i < kArms; ++i) {
    writer.add(0.3);
  }
  EXPECT_THROW(restore(row, writer.finish()), Error);
}

// A regularizer of a user's program, which gives exponential weights by its own computation.
class OwnExponentialWeights final : public Regularizer {
 public:
  void probabilities(const CompensatedSums& sums, double rate, std::span<double> out,
                     double* entropy) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = std::exp(-rate * sums[i].value());
    }
    scale_to_one(out);
    if (entropy != nullptr) {
      *entropy = 0;
    }
  }
  bool is_exponential() const override { return true; }
};

TEST(Ftrl, ALeaderIsExponentialIfItsRegularizerSaysSo) {
  const auto is_exponential = [](std::shared_ptr<const Regularizer> regularizer) {
    return regularized_leader(kArms, std::move(regularizer))->is_exponential();
  };
  EXPECT_TRUE(is_exponential(regularizers::shannon()));
  EXPECT_TRUE(is_exponential(std::make_shared<OwnExponentialWeights>()));
  EXPECT_FALSE(is_exponential(regularizers::tsallis(0.5)));
}

// Records what Run shows it, and when.
class RecordingPlayer : public Player {
 public:
  std::size_t arms() const override { return 2; }
  Decision choose(const Stream& /*stream*/) override {
    entries.emplace_back("choose");
    return {0, 1, ++round_};
  }
  void observe(const Decision& /*decision*/, const Graph& graph,
               const Feedback& feedback) override {
    entries.push_back("observe " + std::to_string(graph.weight(0, 1)) + " " +
                      std::to_string(feedback.observations.size()));
  }

  std::vector<std::string> entries;

 private:
  std::uint64_t round_ = 0;
};

class InformedRecordingPlayer final : public RecordingPlayer, public Informed {
 public:
  Information information() const override { return Information::graph_before_draw; }
  void see_graph(const Graph& graph) override {
    entries.push_back("see " + std::to_string(graph.weight(0, 1)));
  }
};

// Implements Informed, but its information() does not require the graph before the draw.
class UninformedRecordingPlayer final : public RecordingPlayer, public Informed {
 public:
  Information information() const override { return Information::side_observations; }
  void see_graph(const Graph& graph) override {
    entries.push_back("see " + std::to_string(graph.weight(0, 1)));
  }
};

class OracleRecordingPlayer final : public RecordingPlayer {
 public:
  Information information() const override { return Information::true_losses; }
};

std::vector<std::string> entries_of_two_rounds(RecordingPlayer&& player) {
  const auto environment = make_environment(
      losses::bernoulli({.arms = 2}, Stream(1, Purpose::losses)),
      graphs::alternating({Graph::dense(2, {1, 0.5, 0, 1}), make_empty({.arms = 2})}, 1));
  hearsay::Run run(*environment, player, {}, {});
  run.steps(2);
  return player.entries;
}

TEST(Run, ShowsAPlayerWhatItMustSeeAndNothingMore) {
  using Entries = std::vector<std::string>;
  EXPECT_EQ(entries_of_two_rounds(UninformedRecordingPlayer()),
            (Entries{"choose", "observe 0.500000 2", "choose", "observe 0.000000 1"}));
  EXPECT_EQ(entries_of_two_rounds(InformedRecordingPlayer()),
            (Entries{"see 0.500000", "choose", "observe 0.500000 2", "see 0.000000", "choose",
                     "observe 0.000000 1"}));
  EXPECT_EQ(entries_of_two_rounds(OracleRecordingPlayer()),
            (Entries{"choose", "observe 1.000000 2", "choose", "observe 1.000000 2"}));
}

// Plays an arm that does not exist.
class ThirdOfTwoArms final : public RecordingPlayer {
 public:
  Information information() const override { return Information::side_observations; }
  Decision choose(const Stream& /*stream*/) override { return {2, 1, 1}; }
};

TEST(Run, RefusesAnArmThatDoesNotExist) {
  EXPECT_EQ(message_of([] { entries_of_two_rounds(ThirdOfTwoArms()); }),
            "learner: plays arm 2, expected an arm below 2");
}

}  // namespace
}  // namespace hearsay
