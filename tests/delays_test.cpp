// Late feedback: the inequalities behind Theorem 8 of docs/learners.md, the bounds that learners
// compute with it, and rates that depend on delays.

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/mixability.h"
#include "hearsay/learner/regularizer.h"
#include "hearsay/learner/round_order.h"
#include "tests/every_learner.h"
#include "tests/message_of.h"
#include "tests/plain_rounds.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using Numbers = std::vector<double>;

Numbers softmax(const Numbers& sums, double rate) {
  const double least = std::ranges::min(sums);
  Numbers p(sums.size());
  std::ranges::transform(sums, p.begin(),
                         [&](double sum) { return std::exp(-rate * (sum - least)); });
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& each : p) {
    each /= total;
  }
  return p;
}

double entropy_of(const Numbers& p) {
  double entropy = 0;
  for (const double each : p) {
    entropy -= each > 0 ? each * std::log(each) : 0;
  }
  return entropy;
}

double product(const Numbers& a, const Numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(Numbers& sums, const Numbers& terms) {
  std::ranges::transform(sums, terms, sums.begin(), std::plus<>());
}

// --- The inequalities ----------------------------------------------------------------------------

// Estimates, rates and delays of some rounds, drawn at random.
struct Game {
  std::size_t arms = 0;
  std::vector<double> rates = {};         // of the draws; they never rise
  std::vector<Numbers> estimates = {};    // of the rounds
  std::vector<std::size_t> arrival = {};  // the rounds in the order in which they are reported
  std::vector<std::size_t> reports = {};  // how many of them come before each draw
};

Game random_game(RandomSource& dice, double lowest) {
  constexpr std::size_t kRounds = 8;
  Game game{.arms = 2 + dice.below(4)};
  double rate = std::exp(-3 + 4 * dice.uniform());
  for (std::size_t t = 0; t < kRounds; ++t) {
    rate *= dice.chance(0.5) ? 1 : dice.uniform();
    game.rates.push_back(rate);
    game.estimates.emplace_back(game.arms);
    std::ranges::generate(game.estimates.back(),
                          [&] { return lowest + (3 - lowest) * dice.uniform(); });
  }
  std::vector<std::size_t> outstanding;
  for (std::size_t t = 0; t < kRounds; ++t) {
    game.reports.push_back(game.arrival.size());
    outstanding.push_back(t);
    const bool last = t + 1 == kRounds;
    while (!outstanding.empty() && (last || dice.chance(0.4))) {
      const std::size_t k = dice.below(outstanding.size());
      game.arrival.push_back(outstanding[k]);
      outstanding.erase(outstanding.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  return game;
}

// The probabilities of each draw, from the feedback that was reported before it.
std::vector<Numbers> drawn_from(const Game& game) {
  std::vector<Numbers> laws;
  for (std::size_t t = 0; t < game.rates.size(); ++t) {
    Numbers sums(game.arms);
    for (std::size_t k = 0; k < game.reports[t]; ++k) {
      add(sums, game.estimates[game.arrival[k]]);
    }
    laws.push_back(softmax(sums, game.rates[t]));
  }
  return laws;
}

double regret_of(const Game& game, const std::vector<Numbers>& laws) {
  Numbers sums(game.arms);
  double suffered = 0;
  for (std::size_t t = 0; t < laws.size(); ++t) {
    suffered += product(laws[t], game.estimates[t]);
    add(sums, game.estimates[t]);
  }
  return suffered - std::ranges::min(sums);
}

// `order` is the order in which the bound adds up the rounds, and rate(k) the rate of the k-th of
// them, which never rises.
double bound_in_order(const Game& game, const std::vector<Numbers>& laws,
                      const std::vector<std::size_t>& order,
                      const std::function<double(std::size_t k)>& rate) {
  Numbers sums(game.arms);
  Numbers scratch;
  double inverse = 0;
  double bound = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Numbers& estimates = game.estimates[order[k]];
    const Numbers& p = laws[order[k]];
    const double eta = rate(k);
    const Numbers q = softmax(sums, eta);
    bound += (1 / eta - inverse) * entropy_of(q) + mixability_gap(q, estimates, eta, scratch) +
             product(p, estimates) - product(q, estimates);
    inverse = 1 / eta;
    add(sums, estimates);
  }
  return bound;
}

TEST(Delays, ThePenaltyTheGapsAndTheDriftBoundTheRegretInTheOrderOfArrival) {
  RandomSource dice(1);
  double tightest = 0;
  for (int instance = 0; instance < 100'000; ++instance) {
    const Game game = random_game(dice, -2);
    const std::vector<Numbers> laws = drawn_from(game);
    // The rate at a report is that of the last draw before it, or lower.
    const auto rate = [&](std::size_t k) {
      std::size_t draws = 0;
      while (draws < game.reports.size() && game.reports[draws] <= k) {
        ++draws;
      }
      return game.rates[draws - 1];
    };
    const double regret = regret_of(game, laws);
    const double bound = bound_in_order(game, laws, game.arrival, rate);
    ASSERT_LE(regret, bound + 1e-7 * (1 + std::abs(bound)));
    tightest = std::max(tightest, regret / bound);
  }
  EXPECT_GT(tightest, 0.9);
}

TEST(Delays, ThePenaltyTheGapsAndTheDriftBoundTheRegretInTheOrderOfTheDecisions) {
  RandomSource dice(2);
  for (int instance = 0; instance < 100'000; ++instance) {
    const Game game = random_game(dice, -2);
    const std::vector<Numbers> laws = drawn_from(game);
    std::vector<std::size_t> order(game.rates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const double bound =
        bound_in_order(game, laws, order, [&](std::size_t k) { return game.rates[k]; });
    ASSERT_LE(regret_of(game, laws), bound + 1e-7 * (1 + std::abs(bound)));
  }
}

// <p - q, x> <= sum of max(p - q, 0) for x in [0, 1], which is the drift.
TEST(Delays, TheDriftBoundsTheCostOfAChangeOfTheProbabilities) {
  RandomSource dice(3);
  double tightest = 0;
  for (int instance = 0; instance < 100'000; ++instance) {
    const std::size_t n = 2 + dice.below(5);
    Numbers sums(n);
    std::ranges::generate(sums, [&] { return 5 * dice.uniform(); });
    const Numbers p = softmax(sums, dice.uniform());
    std::ranges::generate(sums, [&] { return 5 * dice.uniform(); });
    const Numbers q = softmax(sums, dice.uniform());
    Numbers x(n);
    std::ranges::generate(
        x, [&] { return dice.chance(0.5) ? std::round(dice.uniform()) : dice.uniform(); });
    const double cost = product(p, x) - product(q, x);
    const double drift = drift_between(p, q);
    ASSERT_LE(cost, drift + 1e-12);
    tightest = std::max(tightest, cost / drift);
  }
  EXPECT_GT(tightest, 0.999);
}

// The delay rate `count` relies on this inequality for estimates that are not negative.
TEST(Delays, CostAtMostTheRateTimesTheOutstandingEstimates) {
  RandomSource dice(4);
  for (int instance = 0; instance < 100'000; ++instance) {
    const Game game = random_game(dice, 0);
    const std::vector<Numbers> laws = drawn_from(game);
    Numbers sums(game.arms);
    double regret = 0;
    double bound = std::log(static_cast<double>(game.arms)) / game.rates.back();
    for (std::size_t t = 0; t < laws.size(); ++t) {
      Numbers missing(game.arms);  // the outstanding estimates and that of the round itself
      for (std::size_t earlier = 0; earlier <= t; ++earlier) {
        const auto reported = game.arrival.begin() + static_cast<std::ptrdiff_t>(game.reports[t]);
        if (std::find(game.arrival.begin(), reported, earlier) == reported) {
          add(missing, game.estimates[earlier]);
        }
      }
      for (std::size_t i = 0; i < game.arms; ++i) {
        bound += game.rates[t] * laws[t][i] * game.estimates[t][i] * missing[i];
      }
      regret += product(laws[t], game.estimates[t]);
      add(sums, game.estimates[t]);
    }
    ASSERT_LE(regret - std::ranges::min(sums), bound * (1 + 1e-9));
  }
}

// --- The bounds that learners compute ------------------------------------------------------------

// Learners whose bounds continue if feedback comes late.
std::vector<LearnerSpec> exponential_learners(std::size_t arms) {
  std::vector<LearnerSpec> specs = every_learner(arms);
  std::erase_if(specs, [](LearnerSpec& spec) {
    spec.bounds = Bounds::all;
    const auto learner = make_learner(spec);
    const auto certificate = certificate_of(*learner);
    return !certificate || certificate->bounds.empty() ||
           certificate->bounds.back().name != "round_order" ||
           learner->information() != Information::side_observations;
  });
  return specs;
}

const RegretBound& named(const Certificate& certificate, const std::string& name) {
  return *std::ranges::find(certificate.bounds, name, &RegretBound::name);
}

// A graph with random losses of 0 or 1 and noise of -1 or 1.
struct World {
  Graph graph;
  RandomSource dice;

  std::vector<Observation> observe(Arm played, const Numbers& losses) {
    std::vector<Observation> seen;
    graph.for_each_seen(played, [&](Arm arm, double weight) {
      seen.push_back({arm, weight * losses[arm] + (1 - weight) * (dice.chance(0.5) ? 1 : -1)});
    });
    return seen;
  }
  Numbers random_losses() {
    Numbers losses(graph.arms());
    for (std::size_t i = 0; i < losses.size(); ++i) {
      losses[i] = dice.chance(i == 0 ? 0.3 : 0.5) ? 1 : 0;
    }
    return losses;
  }
};

World world_of(std::uint64_t seed, std::size_t arms) {
  RandomSource dice(seed);
  Graph graph = random_graph(dice, arms);
  return {std::move(graph), dice};
}

TEST(Delays, WithoutDelaysTheBoundInRoundOrderIsThatOfItsTheoremToTheBit) {
  for (const LearnerSpec& spec : exponential_learners(4)) {
    SCOPED_TRACE(described(spec));
    World world = world_of(5, 4);
    const auto learner = make_learner(spec);
    const Stream draws(3, Purpose::draw);
    for (int t = 0; t < 60; ++t) {
      const Decision decision = learner->choose(draws);
      learner->observe(decision, world.graph,
                       {decision.arm, world.observe(decision.arm, world.random_losses())});
    }
    const Certificate certificate = certificate_of(*learner).value();
    const RegretBound& in_order = named(certificate, "round_order");
    const std::string name = in_order.conditions.substr(3, in_order.conditions.find(',') - 3);
    ASSERT_TRUE(in_order.value || !named(certificate, name).value);
    EXPECT_EQ(in_order.value, named(certificate, name).value) << name;
  }
}

TEST(Delays, WithoutDelaysAllDelayRatesAreTheSameToTheBit) {
  for (const char* name : {"exp3-ivx-clip", "exp3-ivc"}) {
    for (const Tuning tuning : {Tuning::cost, Tuning::ada}) {
      std::vector<std::vector<double>> probabilities;
      std::vector<double> bounds;
      for (const DelayRate rate : {DelayRate::none, DelayRate::drift, DelayRate::count}) {
        World world = world_of(6, 5);
        LearnerSpec spec{.name = name, .arms = 5, .delay_rate = rate};
        if (spec.name == "exp3-ivc") {
          spec.tuning = tuning;
        }
        const auto learner = make_learner(spec);
        const Stream draws(3, Purpose::draw);
        for (int t = 0; t < 60; ++t) {
          const Decision decision = learner->choose(draws);
          learner->observe(decision, world.graph,
                           {decision.arm, world.observe(decision.arm, world.random_losses())});
        }
        const auto p = probabilities_of(*learner);
        probabilities.emplace_back(p.begin(), p.end());
        bounds.push_back(certificate_of(*learner)->regret_bound.value());
      }
      EXPECT_EQ(probabilities[0], probabilities[1]);
      EXPECT_EQ(probabilities[0], probabilities[2]);
      EXPECT_EQ(bounds[0], bounds[1]);
      EXPECT_EQ(bounds[0], bounds[2]);
    }
  }
}

// A learner with exponential weights and the constants of its theorems, for R = 2.
struct PlainLearner {
  LearnerSpec spec;
  std::function<double(double weight, bool own)> coverage;
  double floor = 0;     // the least divisor, in units of the rate
  double entropic = 0;  // the factor of the second moments in the bound `entropic`
  double paper = 0;     // the same for the bound `paper`; 0: the learner has none
};

constexpr double kPlainNoise = 2;

double plain_coverage(double s, double loss_moment) {
  const double noise = (1 - s) * kPlainNoise;
  return s > 0 ? s * s / (loss_moment * s * s + noise * noise) : 0;
}

std::vector<PlainLearner> plain_learners() {
  constexpr double kC = 0.71828182845904523536;
  const auto square = [](double s, bool /*own*/) { return s * s; };
  const auto inverse_variance = [](double s, bool /*own*/) { return plain_coverage(s, 1); };
  const auto exact = [](double s, bool own) { return own || s == 1 ? 1.0 : 0.0; };
  return {
      {{.name = "exp3"}, [](double, bool own) { return own ? 1.0 : 0.0; }, 0, 0.5},
      {{.name = "exp3-ix"}, exact, 0, 0.5},
      {{.name = "exp3-set"}, exact, 0, 0.5},
      {{.name = "exp3-wix"}, square, 0, 4 * kC, 5},
      {{.name = "exp3-wix", .tuning = Tuning::sharp}, square, 0, 4 * kC, 4 * kC},
      {{.name = "exp3-ivx"}, inverse_variance, 0, kC, kC},
      {{.name = "exp3-ivx-clip"}, inverse_variance, 0.5, kC},
      {{.name = "exp3-ivc"}, inverse_variance, 1, kC},
  };
}

// What a bound needs to know of a round, by the formulas of docs/learners.md.
struct PlainRound {
  Numbers p;
  Numbers second_moments;
  double bias = 0;
  double q = 0;
  Numbers estimates = {};
};

PlainRound plain_round(const PlainLearner& learner, const Graph& graph, const Numbers& p,
                       double rate, double exploration) {
  const auto s = rows_of(graph);
  PlainRound round{.p = p, .second_moments = Numbers(p.size())};
  for (std::size_t i = 0; i < p.size(); ++i) {
    double covered = 0;
    double centred = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      covered += p[j] * learner.coverage(s[j][i], i == j);
      centred += p[j] * plain_coverage(s[j][i], 0.25);
    }
    const bool centres = learner.spec.name == "exp3-ivc";
    if (centres && centred >= (1 + std::sqrt(2.0)) * rate) {
      round.second_moments[i] = 1 / centred;
    } else {
      const double divisor = std::max(covered + exploration, learner.floor * rate);
      round.second_moments[i] = covered / divisor / divisor + (centres ? 0.25 : 0);
      round.bias += p[i] * (1 - covered / divisor);
      round.q += p[i] / divisor;
    }
  }
  return round;
}

TEST(Delays, BoundsMatchTheirFormulas) {
  constexpr double kRate = 0.15;
  std::size_t waiting = 0;
  for (PlainLearner& plain : plain_learners()) {
    plain.spec.arms = 4;
    plain.spec.noise_bound = kPlainNoise;
    plain.spec.rate = kRate;
    plain.spec.bounds = Bounds::all;
    SCOPED_TRACE(described(plain.spec));
    World world = world_of(7, 4);
    const auto learner = make_learner(plain.spec);
    const Stream draws(4, Purpose::draw);
    // Each outstanding decision with the number of rounds that were reported before its draw.
    std::map<std::uint64_t, std::pair<Decision, std::uint64_t>> outstanding;
    std::map<std::uint64_t, PlainRound> reported;
    Numbers scratch;
    double penalty = 0;
    double drifts_and_biases = 0;
    double moments = 0;
    double gaps = 0;
    double paper = std::log(4) / kRate;
    bool any_late = false;
    for (int t = 0; t < 80; ++t) {
      const Decision decision = learner->choose(draws);
      outstanding.emplace(decision.round, std::pair(decision, reported.size()));
      while (outstanding.size() > 2 && world.dice.chance(0.6)) {
        const auto found = std::next(
            outstanding.begin(), static_cast<std::ptrdiff_t>(world.dice.below(outstanding.size())));
        const auto current = probabilities_of(*learner);
        const Numbers q(current.begin(), current.end());
        const auto [arrived, reports_before] = found->second;
        const bool late = reports_before != reported.size();
        any_late = any_late || late;
        learner->observe(arrived, world.graph,
                         {arrived.arm, world.observe(arrived.arm, world.random_losses())});
        const RoundDetails details = last_round_of(*learner).value();
        PlainRound round = plain_round(
            plain, world.graph, Numbers(details.probabilities.begin(), details.probabilities.end()),
            kRate, details.exploration);
        round.estimates.assign(details.estimates.begin(), details.estimates.end());
        const double drift_and_bias = drift_between(round.p, q) + round.bias;
        penalty += reported.empty() ? entropy_of(q) / kRate : 0;
        drifts_and_biases += drift_and_bias;
        moments += kRate * product(q, round.second_moments);
        gaps += mixability_gap(q, round.estimates, kRate, scratch);
        paper += late ? drift_and_bias + plain.paper * kRate * product(q, round.second_moments)
                      : (details.exploration + plain.paper * kRate) * round.q;
        reported.emplace(arrived.round, std::move(round));
        outstanding.erase(found);
      }
    }
    ASSERT_TRUE(any_late);
    const Certificate certificate = certificate_of(*learner).value();
    const auto expect = [&](const std::string& name, double expected) {
      EXPECT_NEAR(named(certificate, name).value.value(), expected, 1e-9 * expected) << name;
    };
    expect("entropic", penalty + drifts_and_biases + plain.entropic * moments);
    expect("realised", penalty + drifts_and_biases + gaps);
    if (plain.paper > 0) {
      expect("paper", paper);
    }
    if (plain.spec.name == "exp3-set") {
      continue;  // it has no bound in round order
    }
    Numbers sums(4);
    double in_order = std::log(4) / kRate;
    for (const auto& [decision, round] : reported) {
      if (decision > outstanding.begin()->first) {
        in_order += 1;
        ++waiting;
        continue;
      }
      const Numbers q = softmax(sums, kRate);
      in_order += drift_between(round.p, q) + round.bias +
                  plain.entropic * kRate * product(q, round.second_moments);
      add(sums, round.estimates);
    }
    expect("round_order", in_order);
  }
  EXPECT_GT(waiting, 0U);
}

TEST(Delays, ABoundInRoundOrderContinuesWhenTheOldestDecisionIsForgotten) {
  World world = world_of(8, 3);
  const auto learner = make_learner({.name = "exp3-ivx", .arms = 3, .bounds = Bounds::all});
  const Stream draws(4, Purpose::draw);
  const Decision first = learner->choose(draws);
  const Decision second = learner->choose(draws);
  learner->observe(second, world.graph, {second.arm, world.observe(second.arm, {0, 1, 1})});
  EXPECT_EQ(named(certificate_of(*learner).value(), "round_order").value, 1) << "the round waits";
  learner->forget(first);
  const double bound = named(certificate_of(*learner).value(), "round_order").value.value();
  EXPECT_EQ(bound, named(certificate_of(*learner).value(), "entropic").value)
      << "as if the forgotten decision had never been made";
}

TEST(Delays, LearnersContinueFromAStateWithOutstandingAndWaitingRounds) {
  std::vector<LearnerSpec> specs = exponential_learners(4);
  for (const DelayRate rate : {DelayRate::drift, DelayRate::count}) {
    specs.push_back({.name = "exp3-ivc", .arms = 4, .delay_rate = rate, .bounds = Bounds::all});
    specs.push_back({.name = "exp3-ivc",
                     .arms = 4,
                     .tuning = Tuning::ada,
                     .delay_rate = rate,
                     .bounds = Bounds::all});
  }
  for (const LearnerSpec& spec : specs) {
    SCOPED_TRACE(described(spec));
    World world = world_of(9, 4);
    auto learner = make_learner(spec);
    std::unique_ptr<Learner> restored;
    const Stream draws(5, Purpose::draw);
    std::vector<Decision> outstanding;
    for (int t = 0; t < 60; ++t) {
      if (t == 30) {
        ASSERT_GT(learner->outstanding(), 1U);
        restored = restore_learner(learner->save());
      }
      outstanding.push_back(learner->choose(draws));
      if (restored) {
        ASSERT_EQ(restored->choose(draws), outstanding.back());
        restored = restore_learner(restored->save());  // between a draw and feedback, too
      }
      while (outstanding.size() > 5) {
        const std::size_t k = world.dice.below(outstanding.size());
        const Decision arrived = outstanding[k];
        const auto seen = world.observe(arrived.arm, world.random_losses());
        learner->observe(arrived, world.graph, {arrived.arm, seen});
        if (restored) {
          restored->observe(arrived, world.graph, {arrived.arm, seen});
        }
        outstanding.erase(outstanding.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
    EXPECT_TRUE(learner->save() == restored->save());
    EXPECT_EQ(certificate_of(*learner)->bounds, certificate_of(*restored)->bounds);
  }
}

// The factor of the second moment of an arm of probability 0 is as large as 1 / kSmallestCoverage.
TEST(Delays, AStateInWhichARoundWithAnArmOfProbability0WaitsIsRestored) {
  const Graph graph = Graph::sparse(2, {});
  const auto learner =
      make_learner({.name = "exp3", .arms = 2, .rate = 1000, .bounds = Bounds::all});
  const std::vector<Observation> large = {{0, 1.0}};
  learner->observe(learner->adopt(0), graph, {0, large});
  ASSERT_EQ(probabilities_of(*learner)[0], 0);
  learner->adopt(1);  // the round of the next decision waits for the feedback of this one
  const std::vector<Observation> small = {{1, 0.5}};
  learner->observe(learner->adopt(1), graph, {1, small});
  EXPECT_TRUE(restore_learner(learner->save())->save() == learner->save());
}

TEST(Delays, ProbabilitiesAreThoseOfTheNextDrawWhateverIsOutstanding) {
  for (const DelayRate rate : {DelayRate::none, DelayRate::drift, DelayRate::count}) {
    World world = world_of(13, 4);
    const auto learner = make_learner({.name = "exp3-ivc", .arms = 4, .delay_rate = rate});
    const Stream draws(5, Purpose::draw);
    std::vector<Decision> outstanding;
    for (int t = 0; t < 60; ++t) {
      const auto now = probabilities_of(*learner);
      const Numbers p(now.begin(), now.end());
      const Decision decision = learner->choose(draws);
      ASSERT_EQ(decision.probability, p[decision.arm]) << "round " << t;
      outstanding.push_back(decision);
      if (t % 7 == 6) {
        learner->forget(outstanding.front());
        outstanding.erase(outstanding.begin());
      } else if (t % 3 == 2) {
        const Decision arrived = outstanding.front();
        outstanding.erase(outstanding.begin());
        learner->observe(arrived, world.graph,
                         {arrived.arm, world.observe(arrived.arm, world.random_losses())});
      }
    }
  }
}

// --- The mean regret -----------------------------------------------------------------------------

enum class Delay { fixed, overtaking, blocks };
enum class LossRule { drawn, adaptive };  // adaptive: the arms played last have larger losses

struct Totals {
  double regret = 0;
  std::map<std::string, double> bounds = {};
};

// Regret and bounds over the reported rounds of one run.
Totals play(const LearnerSpec& spec, Delay delay, LossRule rule, std::uint64_t seed) {
  constexpr int kRounds = 250;
  constexpr int kDelay = 12;
  World world = world_of(11, spec.arms);
  world.dice = RandomSource(1000 + seed);
  const auto learner = make_learner(spec);
  const Stream draws(seed, Purpose::draw);
  struct Pending {
    Decision decision;
    Numbers losses;
    int arrives_in;
  };
  std::vector<Pending> pending;
  std::vector<Arm> last_played;
  double suffered = 0;
  Numbers arm_losses(spec.arms);
  for (int t = 0; t < kRounds; ++t) {
    const Decision decision = learner->choose(draws);
    Numbers losses = world.random_losses();
    if (rule == LossRule::adaptive) {
      std::ranges::fill(losses, 0.3);
      for (const Arm arm : last_played) {
        losses[arm] = 0.9;
      }
    }
    last_played.push_back(decision.arm);
    if (last_played.size() > 3) {
      last_played.erase(last_played.begin());
    }
    const int arrives_in = delay == Delay::fixed ? t + kDelay
                           : delay == Delay::overtaking
                               ? t + static_cast<int>(world.dice.below(2 * kDelay))
                               : t / kDelay * kDelay + kDelay - 1;
    pending.push_back({decision, losses, arrives_in});
    for (std::size_t k = 0; k < pending.size();) {
      if (pending[k].arrives_in > t) {
        ++k;
        continue;
      }
      const Pending arrived = pending[k];
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
      learner->observe(arrived.decision, world.graph,
                       {arrived.decision.arm, world.observe(arrived.decision.arm, arrived.losses)});
      suffered += arrived.losses[arrived.decision.arm];
      add(arm_losses, arrived.losses);
    }
  }
  Totals totals{.regret = suffered - std::ranges::min(arm_losses)};
  const Certificate certificate = certificate_of(*learner).value();
  for (const RegretBound& bound : certificate.bounds) {
    EXPECT_TRUE(bound.value) << bound.name << ": " << bound.failure;
    totals.bounds[bound.name] = bound.value.value_or(0);
  }
  return totals;
}

std::vector<LearnerSpec> delayed_learners() {
  std::vector<LearnerSpec> specs = {{.name = "exp3-wix"},
                                    {.name = "exp3-ivx"},
                                    {.name = "exp3-ivx-clip", .delay_rate = DelayRate::drift},
                                    {.name = "exp3-ivc"},
                                    {.name = "exp3-ivc", .delay_rate = DelayRate::drift},
                                    {.name = "exp3-ivc", .delay_rate = DelayRate::count},
                                    {.name = "exp3-ivc", .tuning = Tuning::ada},
                                    {.name = "exp3-ivc",
                                     .tuning = Tuning::ada,
                                     .noise = NoiseLevel::learned,
                                     .delay_rate = DelayRate::drift}};
  for (LearnerSpec& spec : specs) {
    spec.arms = 4;
    spec.bounds = Bounds::all;
  }
  return specs;
}

void expect_bounds_above_regret(Delay delay, LossRule rule, const std::vector<std::string>& names) {
  constexpr int kRuns = 60;
  for (const LearnerSpec& spec : delayed_learners()) {
    std::map<std::string, Numbers> excess;  // regret - bound
    for (int run = 0; run < kRuns; ++run) {
      const Totals totals = play(spec, delay, rule, static_cast<std::uint64_t>(run));
      for (const auto& [name, value] : totals.bounds) {
        excess[name].push_back(totals.regret - value);
      }
    }
    for (const auto& [name, values] : excess) {
      if (!names.empty() && std::ranges::find(names, name) == names.end()) {
        continue;
      }
      const double mean = std::accumulate(values.begin(), values.end(), 0.0) / kRuns;
      double squares = 0;
      for (const double value : values) {
        squares += (value - mean) * (value - mean);
      }
      const double error = std::sqrt(squares / (kRuns - 1) / kRuns);
      EXPECT_LE(mean, 3 * error) << described(spec) << ": " << name;
    }
  }
}

TEST(Delays, BoundsAreAboveTheMeanRegretUnderAFixedDelay) {
  expect_bounds_above_regret(Delay::fixed, LossRule::drawn, {});
  expect_bounds_above_regret(Delay::fixed, LossRule::adaptive, {});
}

TEST(Delays, BoundsAreAboveTheMeanRegretIfFeedbackComesInBlocks) {
  expect_bounds_above_regret(Delay::blocks, LossRule::drawn, {});
  expect_bounds_above_regret(Delay::blocks, LossRule::adaptive, {});
}

TEST(Delays, BoundsAreAboveTheMeanRegretIfFeedbackIsOvertaken) {
  expect_bounds_above_regret(Delay::overtaking, LossRule::drawn, {});
  // Here losses depend on draws whose feedback is outstanding, which only the bound in round order
  // allows.
  expect_bounds_above_regret(Delay::overtaking, LossRule::adaptive, {"round_order"});
}

// --- Rates ---------------------------------------------------------------------------------------

// The rates in the details of the last round match the formulas of docs/learners.md.
TEST(Delays, ReduceTheRateByTheirCostOrByTheirNumber) {
  constexpr double kC = 0.71828182845904523536;
  for (const DelayRate kind : {DelayRate::drift, DelayRate::count}) {
    World world = world_of(12, 5);
    const auto learner = make_learner({.name = "exp3-ivc", .arms = 5, .delay_rate = kind});
    const Stream draws(6, Purpose::draw);
    std::vector<std::pair<Decision, double>> outstanding;
    double cost = 0;
    double outstanding_sum = 0;
    double drift_per_rate = 0;
    double rounds = 0;
    double last_rate = 1;
    const auto rate_now = [&](std::size_t outstanding_count) {
      const auto awaiting = static_cast<double>(outstanding_count);
      const double first = kC * 5 / 4;
      double budget = first + cost + awaiting * (rounds > 0 ? cost / rounds : first);
      if (kind == DelayRate::drift) {
        budget += drift_per_rate + (rounds > 0 ? awaiting * drift_per_rate / rounds : 0);
      } else {
        budget += outstanding_sum + awaiting;
      }
      return std::min({1.0, last_rate, std::sqrt(std::log(5.0) / (2 * budget))});
    };
    std::map<std::uint64_t, Numbers> laws;
    for (int t = 0; t < 60; ++t) {
      last_rate = rate_now(outstanding.size());
      const auto p = probabilities_of(*learner);
      const Numbers law(p.begin(), p.end());
      const Decision decision = learner->choose(draws);
      laws[decision.round] = law;
      outstanding_sum += static_cast<double>(outstanding.size());
      outstanding.emplace_back(decision, last_rate);
      if (outstanding.size() <= 6) {
        continue;
      }
      const auto [arrived, rate_of_draw] = outstanding.front();
      if (rounds > 0) {  // late feedback is added at the rate of the next draw
        last_rate = rate_now(outstanding.size());
      }
      outstanding.erase(outstanding.begin());
      const auto before = probabilities_of(*learner);
      const Numbers q(before.begin(), before.end());
      learner->observe(arrived, world.graph,
                       {arrived.arm, world.observe(arrived.arm, world.random_losses())});
      ASSERT_NEAR(last_round_of(*learner)->rate, rate_of_draw, 1e-12);
      drift_per_rate += rounds > 0 ? drift_between(laws[arrived.round], q) / last_rate : 0;
      cost += kC * last_round_of(*learner)->q;
      rounds += 1;
    }
  }
}

TEST(Delays, ADelayRateIsRefusedWhereItHasNoEffect) {
  const auto message = [](const LearnerSpec& spec) {
    return message_of([&] { make_learner(spec); });
  };
  EXPECT_EQ(message({.name = "exp3-wix", .arms = 3, .delay_rate = DelayRate::drift}),
            "delay_rate: is given, but exp3-wix has no such parameter");
  EXPECT_EQ(message({.name = "exp3-ivc", .arms = 3, .rate = 0.1, .delay_rate = DelayRate::count}),
            "delay_rate: is given besides a rate, expected none: a given rate does not change");
  EXPECT_EQ(message({.name = "exp3-ivx-clip",
                     .arms = 3,
                     .delay_rate = DelayRate::drift,
                     .engine = Engine::lazy}),
            "delay_rate: is given, expected none: the lazy engine takes no late feedback");
  EXPECT_NO_THROW(
      make_learner({.name = "exp3-ivc", .arms = 3, .rate = 0.1, .delay_rate = DelayRate::none}));
}

}  // namespace
}  // namespace hearsay
