// Problem: the translation of names and units, missing readings, absent arms, and its log.

#include "hearsay/problem/problem.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hearsay/base/bytes.h"
#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/learner_base.h"
#include "hearsay/learner/rows.h"
#include "tests/every_learner.h"
#include "tests/full_disk.h"
#include "tests/message_of.h"
#include "tests/program.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

using testing::ScratchDirectory;

std::vector<std::string> names_for(std::size_t arms) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < arms; ++i) {
    names.push_back(fmt::format("arm \"{}\"", i));
  }
  return names;
}

// An environment: random outcomes, and readings of the arms that the arm played shows.
struct World {
  explicit World(std::uint64_t seed) : dice(seed) {}

  double outcome(const Outcome& range) { return range.low + dice.uniform() * range.range(); }

  NamedReadings readings(const Problem& problem, const Choice& choice) {
    NamedReadings readings;
    problem.graph().for_each_seen(choice.arm, [&](Arm seen, double /*weight*/) {
      if (seen != choice.arm) {
        const Outcome& range = problem.description().outcome;
        readings[problem.names()[seen]] = outcome(range) + 0.1 * range.range() * dice.uniform();
      }
    });
    return readings;
  }

  RandomSource dice;
};

// All learners but those that must be shown true losses, which Problem cannot show.
std::vector<LearnerSpec> learners_for_problems(std::size_t arms) {
  std::vector<LearnerSpec> specs = every_learner(arms);
  std::erase_if(specs, [](const LearnerSpec& spec) {
    return learner_row(spec.name).information == Information::true_losses;
  });
  return specs;
}

TEST(Problem, PlaysBitForBitAsTheBareLearnerOnTranslatedLosses) {
  constexpr std::size_t kArms = 6;
  for (const LearnerSpec& spec : learners_for_problems(kArms)) {
    for (const OutcomeKind kind : {OutcomeKind::reward, OutcomeKind::loss}) {
      RandomSource dice(1);
      const ProblemDescription description{.names = names_for(kArms),
                                           .outcome = {.kind = kind, .low = -20, .high = 300},
                                           .graph = random_graph(dice, kArms),
                                           .learner = spec,
                                           .seed = 17};
      Problem problem(description);
      const auto learner = make_learner(spec);
      const Stream stream(17, Purpose::draw);
      World world(2);
      for (int t = 0; t < 60; ++t) {
        const Choice choice = problem.choose();
        if (Informed* informed = informed_of(*learner)) {
          informed->see_graph(problem.graph());
        }
        const Decision decision = learner->choose(stream);
        ASSERT_EQ(choice.arm, decision.arm) << described(spec);
        ASSERT_EQ(choice.probability, decision.probability);
        ASSERT_EQ(choice.id, decision.round);
        ASSERT_EQ(choice.name, description.names[decision.arm]);
        const double outcome = world.outcome(description.outcome);
        const NamedReadings readings = world.readings(problem, choice);
        problem.tell(choice, outcome, readings);
        // The losses by their definition: the best outcome has loss 0, the worst 1.
        const auto loss = [&](double value) {
          return kind == OutcomeKind::reward ? (300 - value) / 320 : (value + 20) / 320;
        };
        std::vector<Observation> observations;
        problem.graph().for_each_seen(decision.arm, [&](Arm seen, double weight) {
          const double value = seen == decision.arm
                                   ? outcome
                                   : readings.find(description.names[seen])->second.value();
          observations.push_back({seen, weight * loss(value)});
        });
        learner->observe(decision, problem.graph(), {decision.arm, observations});
      }
      ASSERT_TRUE(problem.learner().save() == learner->save()) << described(spec);
    }
  }
}

TEST(Problem, ObservationsInTheModelsFormAreTakenAsTheyAre) {
  RandomSource dice(3);
  const ProblemDescription description{
      .names = names_for(4), .outcome = {.low = 0, .high = 8}, .graph = random_graph(dice, 4)};
  Problem by_readings(description);
  Problem by_observations(description);
  World world(4);
  for (int t = 0; t < 50; ++t) {
    const Choice choice = by_readings.choose();
    ASSERT_EQ(by_observations.choose(), choice);
    const NamedReadings readings = world.readings(by_readings, choice);
    NamedReadings observations;
    for (const auto& [name, value] : readings) {
      const Arm seen = by_readings.names().find(name);
      observations[name] = by_readings.graph().weight(choice.arm, seen) * ((8 - value.value()) / 8);
    }
    by_readings.tell(choice, 2, readings);
    by_observations.tell(choice, 2, observations, ReadingForm::observation);
  }
  EXPECT_TRUE(by_readings.save() == by_observations.save());
}

// --- First mistakes of new users ----------------------------------------------------------------

TEST(Problem, RawRevenueOutsideTheRangeIsRefusedWithTheRangeNamed) {
  Problem problem({.names = {"home", "search"}});
  const Choice choice = problem.choose();
  const std::string before = problem.save();
  EXPECT_EQ(message_of([&] { problem.tell(choice, 35); }),
            fmt::format("the outcome of '{}' is 35, expected a reward from 0 to 1", choice.name));
  EXPECT_EQ(message_of([&] { problem.tell(choice, NAN); }),
            fmt::format("the outcome of '{}' is nan, expected a reward from 0 to 1", choice.name));
  EXPECT_TRUE(problem.save() == before);
  problem.tell(choice, 1);
}

// The outcomes are raw revenues of 5 to 95, and the problem knows their range.
TEST(Problem, RevenueWithItsRangeLeadsToTheBestArm) {
  Problem problem({.names = {"a", "b", "c"}, .outcome = {.low = 0, .high = 100}, .seed = 3});
  const std::map<std::string, double> revenue = {{"a", 5}, {"b", 95}, {"c", 40}};
  for (int t = 0; t < 1000; ++t) {
    const Choice choice = problem.choose();
    problem.tell(choice, revenue.at(choice.name));
  }
  EXPECT_GT(problem.probabilities()[1], 0.9);
}

// Plays ten arms, one of which has a higher click rate, with readings of all other arms whose noise
// is as their weight allows. Returns the mean click rate of the arms played in each of several
// runs.
std::vector<double> click_rates(const std::string& learner, bool gives_readings) {
  constexpr std::size_t kArms = 10;
  constexpr double kWeight = 0.6;
  std::vector<Arc> arcs;
  for (Arm i = 0; i < kArms; ++i) {
    for (Arm j = 0; j < kArms; ++j) {
      if (i != j) {
        arcs.push_back({i, j, kWeight});
      }
    }
  }
  std::vector<double> rates;
  constexpr int kRuns = 20;
  constexpr int kRounds = 3000;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    Problem problem(
        {.names = names_for(kArms),
         .graph = gives_readings ? std::optional(Graph::sparse(kArms, arcs)) : std::nullopt,
         .noise_bound = 1,
         .learner = {.name = learner},
         .seed = run + 1});
    RandomSource dice(100 + run);
    double clicks = 0;
    for (int t = 0; t < kRounds; ++t) {
      const Choice choice = problem.choose();
      const auto rate = [](Arm arm) { return arm == 7 ? 0.3 : 0.05; };
      NamedReadings readings;
      for (Arm seen = 0; gives_readings && seen < kArms; ++seen) {
        if (seen != choice.arm) {
          // An error of the reading at most R (1 - s) / s = 2/3, as weight and noise bound allow.
          readings[problem.names()[seen]] = rate(seen) + (dice.uniform() - 0.5);
        }
      }
      clicks += rate(choice.arm);
      problem.tell(choice, dice.chance(rate(choice.arm)) ? 1 : 0, readings);
    }
    rates.push_back(clicks / kRounds);
  }
  return rates;
}

TEST(Problem, LearnsFasterFromReadingsOfOtherArmsThanWithoutThem) {
  const auto mean_and_error = [](const std::vector<double>& rates) {
    const auto runs = static_cast<double>(rates.size());
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / runs;
    double squares = 0;
    for (const double rate : rates) {
      squares += (rate - mean) * (rate - mean);
    }
    return std::pair(mean, std::sqrt(squares / (runs - 1) / runs));
  };
  const auto [ignored, ignored_error] = mean_and_error(click_rates("exp3", false));
  const auto [used, used_error] = mean_and_error(click_rates("exp3-wix", true));
  // Uniform play has 0.075, the best arm 0.3.
  EXPECT_GT(ignored, 0.075 + 4 * ignored_error);
  EXPECT_GT(used, ignored + 4 * std::hypot(used_error, ignored_error));
}

// --- Ranges, missing readings, noise -------------------------------------------------------------

TEST(Problem, AnInfiniteOutcomeIsRefusedEvenIfOutcomesAreClipped) {
  Problem problem({.names = {"a", "b"}, .outcome = {.out_of_range = OutOfRangeOutcome::clip}});
  const Choice choice = problem.choose();
  EXPECT_NE(message_of([&] {
              problem.tell(choice, std::numeric_limits<double>::infinity());
            }).find("is inf, expected a reward from 0 to 1"),
            std::string::npos);
  problem.tell(choice, 7);
}

TEST(Problem, RefusesToWriteALogThatAnotherProcessHasChanged) {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("log.jsonl");
  Problem problem({.names = {"a", "b"}}, path);
  problem.tell(problem.choose(), 0.5);
  const std::string before = read_file(path);
  scratch.write("log.jsonl", before + "{\"forget\": 9}\n");  // as a forked process may write
  EXPECT_NE(message_of([&] { problem.choose(); }).find("another process has changed it"),
            std::string::npos);
  EXPECT_EQ(read_file(path), before + "{\"forget\": 9}\n");
}

TEST(Problem, ReadingsWithoutAGraphAreRefused) {
  Problem problem({.names = {"a", "b"}});
  const Choice choice = problem.choose();
  EXPECT_EQ(message_of([&] {
              problem.tell(choice, 0.5, {{choice.name == "a" ? "b" : "a", 0.5}});
            }),
            "there are readings, but no arm shows another, expected a graph that says which arms "
            "show which");
  EXPECT_EQ(problem.counts().rounds, 0);
}

TEST(Problem, ClippedOutcomesCountAsTheEndsOfTheRange) {
  ProblemDescription description{.names = {"a", "b"}, .outcome = {.low = 0, .high = 10}};
  Problem exact(description);
  description.outcome.out_of_range = OutOfRangeOutcome::clip;
  Problem clipped(description);
  for (int t = 0; t < 20; ++t) {
    const Choice choice = exact.choose();
    ASSERT_EQ(clipped.choose(), choice);
    exact.tell(choice, t % 2 == 0 ? 10 : 0);
    clipped.tell(choice, t % 2 == 0 ? 1000 : -3);
  }
  EXPECT_TRUE(clipped.learner().save() == exact.learner().save());
  EXPECT_EQ(clipped.counts().clipped, 20);
  EXPECT_EQ(exact.counts().clipped, 0);
}

const Graph kThree = Graph::sparse(3, {{0, 1, 0.5}, {0, 2, 0.25}, {1, 0, 0.5}, {2, 1, 1}});

TEST(Problem, MissingReadingsAreRefusedWithTheirNames) {
  Problem problem({.names = {"a", "b", "c"}, .graph = kThree, .seed = 1});
  Choice choice = problem.choose();
  while (choice.name != "a") {
    problem.forget(choice.id);
    choice = problem.choose();
  }
  const std::string before = problem.save();
  EXPECT_EQ(
      message_of([&] { problem.tell(choice, 1); }),
      "no reading of 'b', 'c', expected one of every arm that 'a' shows, or missing_readings = "
      "\"thin\"");
  EXPECT_EQ(message_of([&] {
              problem.tell(choice, 1, {{"b", 1}, {"c", std::nullopt}});
            }),
            "no reading of 'c', expected one of every arm that 'a' shows, or missing_readings = "
            "\"thin\"");
  EXPECT_EQ(message_of([&] {
              problem.tell(choice, 1, {{"a", std::nullopt}, {"b", 1}, {"c", 1}});
            }),
            "'a' could not be read, expected no entry for arms of which no reading is needed, or "
            "missing_readings = \"thin\"");
  EXPECT_EQ(message_of([&] {
              problem.tell(choice, 1, {{"a", 1}, {"b", 1}, {"c", 1}});
            }),
            "there is a reading of 'a', which was played, expected readings of other arms: its "
            "outcome is known");
  EXPECT_EQ(message_of([&] {
              problem.tell(choice, 1, {{"bb", 1}});
            }),
            "there is no arm 'bb', expected 'b'");
  EXPECT_EQ(message_of([&] {
              problem.tell(choice, 1, {{"b", INFINITY}, {"c", 1}});
            }),
            "the reading of 'b' is inf, expected a number");
  EXPECT_TRUE(problem.save() == before);
}

TEST(Problem, BoundsEndWithAMissingReadingThatIsNotReported) {
  for (const bool is_reported : {true, false}) {
    Problem problem({.names = {"a", "b", "c"},
                     .outcome = {.kind = OutcomeKind::loss, .low = 0, .high = 1},
                     .graph = kThree,
                     .missing_readings = MissingReadings::thin});
    const auto tell = [&](bool has_readings) {
      const Choice choice = problem.choose();
      UserFeedback feedback{.outcome = 0.5};
      problem.graph().for_each_seen(choice.arm, [&](Arm seen, double /*weight*/) {
        if (seen != choice.arm && (has_readings || is_reported)) {
          feedback.readings.push_back({seen, has_readings ? std::optional(0.5) : std::nullopt});
        }
      });
      problem.tell(choice.id, feedback);
    };
    tell(true);
    ASSERT_TRUE(problem.certificate()->regret_bound);
    while (problem.counts().thinned == 0) {  // until an arm is played that shows another
      tell(false);
    }
    const std::uint64_t thinned_in = problem.counts().rounds;
    tell(true);
    problem = Problem::restore(problem.save());
    const Certificate certificate = problem.certificate().value();
    EXPECT_EQ(certificate.regret_bound.has_value(), is_reported);
    for (const RegretBound& bound : certificate.bounds) {
      EXPECT_EQ(bound.failed_in_round, is_reported ? 0 : thinned_in);
      EXPECT_EQ(bound.failure, is_reported ? "" : kReadingNotReported);
      EXPECT_TRUE(bound.conditions.find("; which readings are missing") != std::string::npos);
    }
  }
}

TEST(Problem, TheCertificateSaysThatOutcomesWereClipped) {
  Problem problem({.names = {"a", "b"},
                   .outcome = {.low = 0, .high = 1, .out_of_range = OutOfRangeOutcome::clip}});
  problem.tell(problem.choose(), 0.5);
  EXPECT_EQ(problem.certificate()->bounds.at(0).conditions.find("clipped"), std::string::npos);
  problem.tell(problem.choose(), 1.5);
  EXPECT_NE(problem.certificate()->bounds.at(0).conditions.find("clipped"), std::string::npos);
}

// The mean of the estimate of one arm over the draw, by enumeration. Which arms have no reading is
// fixed before the draw, and is reported whichever arm is played (`always_reported`), or only
// where a reading was expected.
std::vector<double> mean_estimates(bool always_reported, std::vector<double>& probabilities) {
  const ProblemDescription description{
      .names = {"a", "b", "c"},
      .outcome = {.kind = OutcomeKind::loss, .low = 0, .high = 1},
      .graph = kThree,
      .learner = {.name = "exp3-wix", .rate = 0.5, .exploration = 0},
      .missing_readings = MissingReadings::thin};
  const std::vector<double> losses = {0.2, 0.9, 0.6};
  Problem problem(description);
  for (const double outcome : {0.9, 0.1}) {  // so that the probabilities differ
    const Choice choice = problem.choose();
    NamedReadings readings;
    problem.graph().for_each_seen(choice.arm, [&](Arm seen, double /*weight*/) {
      if (seen != choice.arm) {
        readings[description.names[seen]] = 0.5;
      }
    });
    problem.tell(choice, outcome, readings);
  }
  const std::span<const double> next_probabilities = problem.probabilities();
  probabilities.assign(next_probabilities.begin(), next_probabilities.end());
  std::vector<double> means(3);
  std::vector<bool> drawn(3);
  for (std::uint64_t seed = 1; !std::ranges::all_of(drawn, std::identity()); ++seed) {
    // A copy draws with another seed, until each arm has been drawn once.
    const Problem copy = Problem::restore(problem.save());
    const auto learner = restore_learner(copy.learner().save());
    const Decision decision = learner->choose(Stream(seed, Purpose::test));
    if (drawn[decision.arm]) {
      continue;
    }
    drawn[decision.arm] = true;
    UserFeedback feedback{.outcome = losses[decision.arm]};
    copy.graph().for_each_seen(decision.arm, [&](Arm seen, double /*weight*/) {
      if (seen != decision.arm && seen != 1) {  // there is no reading of "b"
        feedback.readings.push_back({seen, losses[seen]});
      }
    });
    if (always_reported) {
      feedback.readings.push_back({1, std::nullopt});
    }
    Translation translation(copy.description(), copy.names());
    const ModelRound round = translation.translate(copy.graph(), decision.arm, {}, feedback);
    learner->observe(decision, round.graph, {decision.arm, round.observations});
    const RoundDetails details = last_round_of(*learner).value();
    for (Arm arm = 0; arm < 3; ++arm) {
      means[arm] += decision.probability * details.estimates[arm];
    }
  }
  return means;
}

TEST(Problem, ThinnedRoundsStayUnbiasedIfAllMissingReadingsAreReported) {
  std::vector<double> p;
  const std::vector<double> reported = mean_estimates(true, p);
  EXPECT_NEAR(reported[0], 0.2, 1e-12);
  EXPECT_NEAR(reported[1], 0.9, 1e-12);
  EXPECT_NEAR(reported[2], 0.6, 1e-12);
  // Otherwise the arm looks better than it is: its loss is seen only if it is played, but is
  // divided by a probability that counts the other arms that would show it.
  const std::vector<double> unreported = mean_estimates(false, p);
  EXPECT_NEAR(unreported[0], 0.2, 1e-12);
  EXPECT_NEAR(unreported[1], 0.9 * p[1] / (p[1] + 0.25 * p[0] + p[2]), 1e-12);
  EXPECT_NEAR(unreported[2], 0.6, 1e-12);
}

TEST(Problem, ReadingsBeyondTheNoiseBoundAreCounted) {
  // At weight 1/2 and R = 1/4 an observation lies in [-1/8, 5/8]: a reading of the loss in
  // [-1/4, 5/4].
  ProblemDescription description{.names = {"a", "b"},
                                 .outcome = {.kind = OutcomeKind::loss, .low = 0, .high = 100},
                                 .graph = Graph::dense(2, {1, 0.5, 0.5, 1}),
                                 .noise_bound = 0.25};
  Problem problem(description);
  const auto tell = [&](double reading) {
    const Choice choice = problem.choose();
    problem.tell(choice, 50, {{choice.name == "a" ? "b" : "a", reading}});
  };
  tell(125);
  tell(-25);
  EXPECT_EQ(problem.counts().beyond_noise_bound, 0);
  EXPECT_EQ(noise_warning(problem), "");
  EXPECT_TRUE(problem.certificate()->regret_bound.has_value());
  tell(126);
  EXPECT_EQ(noise_warning(problem).rfind("1 reading is further from", 0), 0U);
  tell(-26);
  EXPECT_EQ(problem.counts().beyond_noise_bound, 2);
  EXPECT_EQ(noise_warning(problem).rfind("2 readings are further from", 0), 0U);
  EXPECT_NE(noise_warning(problem).find("the noise bound, 0.25, allow"), std::string::npos);
  EXPECT_NE(noise_warning(problem).find("`hearsay calibrate`"), std::string::npos);
  description.noise_bound.reset();  // the noise is learned: there is no bound to exceed
  Problem learned(description);
  const Choice choice = learned.choose();
  learned.tell(choice, 50, {{choice.name == "a" ? "b" : "a", 1000}});
  EXPECT_EQ(learned.counts().beyond_noise_bound, 0);
  EXPECT_EQ(learned.certificate()->out_of_range, 0);
}

TEST(Problem, CountsReadingsOfWeightOneOutsideTheRangeAlsoIfTheNoiseIsLearned) {
  Problem problem({.names = {"a", "b"},
                   .outcome = {.kind = OutcomeKind::loss, .low = 0, .high = 100},
                   .graph = Graph::dense(2, {1, 1, 1, 1})});
  const auto tell = [&](double reading) {
    const Choice choice = problem.choose();
    problem.tell(choice, 50, {{choice.name == "a" ? "b" : "a", reading}});
  };
  tell(0);
  tell(100);
  EXPECT_EQ(problem.counts().beyond_noise_bound, 0);
  EXPECT_EQ(noise_warning(problem), "");
  EXPECT_EQ(problem.certificate()->out_of_range, 0);
  EXPECT_TRUE(problem.certificate()->regret_bound);
  tell(101);
  tell(-1);
  EXPECT_EQ(problem.counts().beyond_noise_bound, 2);
  EXPECT_EQ(problem.certificate()->out_of_range, 2);
  EXPECT_NE(noise_warning(problem).find("2 readings of weight 1 are not possible outcomes"),
            std::string::npos);
  EXPECT_FALSE(problem.certificate()->regret_bound);
  EXPECT_EQ(problem.certificate()->bounds.front().failed_in_round, 3);
  EXPECT_EQ(problem.certificate()->bounds.front().failure,
            "an observation of weight 1 was not in [0, 1]");
}

TEST(Problem, NamesTheKeyThatIsWrongOnce) {
  EXPECT_EQ(message_of([] { Problem({.names = {"a"}, .learner = {.name = "exp3wix"}}); }),
            "learner: 'exp3wix' is not known, expected 'exp3-wix'");
  EXPECT_EQ(message_of([] { Problem({.names = {"a"}, .learner = {.name = "exp3", .rate = 0}}); }),
            "learner: rate: is 0, expected 'adaptive' or a positive number");
}

TEST(Problem, TheCertificateIsInTheUsersUnits) {
  const ProblemDescription description{.names = {"a", "b"},
                                       .outcome = {.low = 0, .high = 250},
                                       .learner = {.name = "exp3-ivx", .bounds = Bounds::all}};
  Problem problem(description);
  const auto learner = make_learner(learner_of(description));
  const Stream stream(1, Purpose::draw);
  for (int t = 0; t < 10; ++t) {
    const Choice choice = problem.choose();
    const Decision decision = learner->choose(stream);
    problem.tell(choice, 100);
    const std::vector<Observation> own = {{decision.arm, 0.6}};
    learner->observe(decision, problem.graph(), {decision.arm, own});
  }
  const Certificate in_units = problem.certificate().value();
  const Certificate of_losses = certificate_of(*learner).value();
  EXPECT_EQ(in_units.rounds, 10);
  EXPECT_EQ(in_units.regret_bound.value(), 250 * of_losses.regret_bound.value());
  ASSERT_GT(in_units.bounds.size(), 1);
  for (std::size_t k = 0; k < in_units.bounds.size(); ++k) {
    EXPECT_EQ(in_units.bounds[k].value.value(), 250 * of_losses.bounds[k].value.value());
  }
}

// --- Available arms ------------------------------------------------------------------------------

TEST(Problem, DrawsAmongTheAvailableArmsAndSaysThatTheBoundEnded) {
  Problem problem({.names = {"a", "b", "c"}, .graph = kThree, .noise_bound = 1});
  const std::vector<std::string> available = {"c", "b"};
  Choice choice = problem.choose();
  const auto readings = [&](const Choice& choice_made) {
    NamedReadings all = {{"a", 0.5}, {"b", 0.5}, {"c", 0.5}};
    all.erase(choice_made.name);
    return all;
  };
  problem.tell(choice, 1, readings(choice));
  EXPECT_TRUE(problem.certificate()->regret_bound.has_value());
  const std::vector<double> p(problem.probabilities().begin(), problem.probabilities().end());
  choice = problem.choose(available);
  EXPECT_NE(choice.name, "a");
  EXPECT_DOUBLE_EQ(choice.probability, p[choice.arm] / (p[1] + p[2]));
  // Readings of "a", which is not available, are not needed.
  NamedReadings without_a = readings(choice);
  without_a.erase("a");
  problem.tell(choice, 1, without_a);
  EXPECT_EQ(problem.counts().restricted, 1);
  EXPECT_EQ(problem.counts().thinned, 0);
  const Certificate certificate = problem.certificate().value();
  EXPECT_EQ(certificate.regret_bound, std::nullopt);
  EXPECT_EQ(certificate.bounds.front().failed_in_round, 2);
  EXPECT_EQ(certificate.bounds.front().failure, "some arms were not available");

  const std::vector<std::string> all_arms = {"c", "b", "a"};
  problem.choose(all_arms);  // no restriction
  EXPECT_EQ(message_of([&] {
              problem.choose(std::vector<std::string>{"a", "a"});
            }),
            "available: has 'a' twice, expected each arm once");
  const std::uint64_t decisions = problem.counts().decisions;
  EXPECT_EQ(message_of([&] { problem.choose(std::vector<std::string>()); }),
            "available: is empty, expected the names of the arms that can be played");
  EXPECT_EQ(problem.counts().decisions, decisions);
  EXPECT_EQ(message_of([&] { problem.choose(std::vector<std::string>{"aa"}); }),
            "there is no arm 'aa', expected 'a'");
  Problem policy({.names = {"a", "b"}, .learner = {.name = "ucb-n"}});
  EXPECT_EQ(message_of([&] { policy.choose(std::vector<std::string>{"a"}); }),
            "available: ucb-n can only draw among all arms, expected all of them, or another "
            "learner");
}

// --- Late feedback, saving, logs -----------------------------------------------------------------

// Plays some rounds. Feedback is late and out of order, some decisions are forgotten, some are
// drawn among a part of the arms, and the graph changes.
void play(Problem& problem, World& world, int rounds, bool restricts) {
  std::vector<Choice> waiting;
  for (int t = 0; t < rounds; ++t) {
    if (world.dice.chance(0.05)) {
      problem.set_graph(random_graph(world.dice, problem.names().size()));
    }
    std::optional<std::vector<std::string>> available;
    if (restricts && world.dice.chance(0.3)) {
      available = {problem.names()[0], problem.names()[2]};
    }
    waiting.push_back(problem.choose(available, t % 2 == 0 ? "2026-11-17T09:00:00Z" : ""));
    while (waiting.size() > 3) {
      const std::size_t k = world.dice.below(waiting.size());
      if (world.dice.chance(0.1)) {
        problem.forget(waiting[k].id);
      } else {
        NamedReadings readings;
        for (const std::string& name : problem.names().list()) {
          if (name != waiting[k].name && world.dice.chance(0.9)) {
            readings[name] = world.outcome(problem.description().outcome);
          }
        }
        problem.tell(waiting[k], world.outcome(problem.description().outcome), readings);
      }
      waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
}

TEST(Problem, ContinuesWithTheSameBitsFromASavedStateOrFromItsLog) {
  const ScratchDirectory scratch;
  int number = 0;
  for (const LearnerSpec& spec : learners_for_problems(4)) {
    RandomSource dice(7);
    const std::string path = scratch.file(fmt::format("{}.jsonl", ++number));
    const ProblemDescription description{.names = names_for(4),
                                         .outcome = {.low = 1, .high = 3},
                                         .graph = random_graph(dice, 4),
                                         .learner = spec,
                                         .missing_readings = MissingReadings::thin,
                                         .seed = 5};
    const bool restricts = restrictable_of(*make_learner(spec)) != nullptr;
    World world(8);
    std::string state;
    {
      Problem problem(description, path);
      play(problem, world, 60, restricts);
      state = problem.save();
    }
    Problem restored = Problem::restore(state);
    EXPECT_TRUE(restored.save() == state) << described(spec);
    {
      Problem replayed = Problem::restore_from_log(path);
      ASSERT_TRUE(replayed.save() == state) << described(spec);
      EXPECT_EQ(replayed.counts(), restored.counts());
      World again = world;
      play(replayed, again, 30, restricts);
      state = replayed.save();
    }
    play(restored, world, 30, restricts);
    EXPECT_GT(restored.counts().thinned, 0);
    EXPECT_TRUE(restored.save() == state) << described(spec);
    EXPECT_TRUE(Problem::restore_from_log(path, AfterRestoring::close).save() == state)
        << described(spec);
  }
}

TEST(Problem, TheLogHasTheProbabilitiesOfEveryDraw) {
  const ScratchDirectory scratch;
  int number = 0;
  for (const LearnerSpec& spec : learners_for_problems(4)) {
    RandomSource dice(9);
    const std::string path = scratch.file(fmt::format("{}.jsonl", ++number));
    const bool restricts = restrictable_of(*make_learner(spec)) != nullptr;
    {
      Problem problem({.names = names_for(4),
                       .graph = random_graph(dice, 4),
                       .learner = spec,
                       .missing_readings = MissingReadings::thin},
                      path);
      World world(10);
      play(problem, world, 40, restricts);
    }
    InputStream stream(path);
    LogReader reader(stream, path);
    int decisions = 0;
    while (const auto record = reader.next()) {
      if (const auto* decision = std::get_if<LoggedDecision>(&*record)) {
        ++decisions;
        if (!decision->probabilities.empty()) {
          EXPECT_EQ(decision->probabilities[decision->arm], decision->probability)
              << described(spec);
        }
        EXPECT_EQ(decision->time.empty(), decision->id % 2 == 0);
      }
    }
    EXPECT_EQ(decisions, 40);
  }
}

TEST(Problem, ARefusedRoundLeavesNoTraceInTheLog) {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("log.jsonl");
  Problem problem({.names = {"a", "b"},
                   .graph = Graph::dense(2, {1, 0.5, 0.5, 1}),
                   .noise_bound = 1,
                   .learner = {.name = "exp3-wix"}},
                  path);
  const Choice choice = problem.choose();
  const std::string other = choice.name == "a" ? "b" : "a";
  std::string before = read_file(path);
  // The round is written before the learner refuses its estimate, which is too large to be added
  // up, and is then removed.
  EXPECT_THROW(problem.tell(choice, 0, {{other, 1e301}}, ReadingForm::observation), Error);
  EXPECT_EQ(read_file(path), before);
  problem.tell(choice, 0, {{other, 0.5}});
  before = read_file(path);
  // Feedback given twice, a decision that was never made, and a graph with another number of arms.
  EXPECT_THROW(problem.tell(choice, 0, {{other, 0.5}}), Error);
  EXPECT_THROW(problem.forget(99), Error);
  EXPECT_THROW(problem.set_graph(Graph::sparse(3, {})), Error);
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(message_of([&] { Problem({.names = {"a"}}, path); }),
            path + ": exists already, expected the path of a new log");
}

TEST(Problem, IsRestoredToTheSameBitsFromALogThatCouldNotBeWrittenForAWhile) {
  const ScratchDirectory scratch;
  int number = 0;
  for (LearnerSpec spec : learners_for_problems(4)) {
    if (spec.name == "exp3-ivc") {
      spec.delay_rate =
          DelayRate::count;  // this rate depends on how many decisions are outstanding at each draw
    }
    spec.max_outstanding = 8;
    const std::string path = scratch.file(fmt::format("{}.jsonl", ++number));
    RandomSource dice(11);
    Problem problem({.names = names_for(4),
                     .graph = random_graph(dice, 4),
                     .learner = spec,
                     .missing_readings = MissingReadings::thin},
                    path);
    World world(12);
    const auto restored = [&] { return Problem::restore_from_log(path, AfterRestoring::close); };
    for (int time = 0; time < 3; ++time) {
      play(problem, world, 10, false);
      const Choice outstanding = problem.choose();
      const std::string written = read_file(path);
      const std::uint64_t rounds = problem.counts().rounds;
      {
        const FullDisk full(written.size() + 20);  // there is room for a part of a line
        EXPECT_THROW(problem.tell(outstanding, 0.5), std::system_error);
        EXPECT_TRUE(restored().save() == problem.save()) << described(spec);
        EXPECT_THROW(problem.choose(), std::system_error);
        const std::string state = problem.save();
        for (int i = 0; i < 200; ++i) {  // nothing further happens
          EXPECT_THROW(problem.choose(), std::system_error);
          EXPECT_THROW(problem.tell(outstanding, 0.5), std::system_error);
          EXPECT_THROW(problem.forget(outstanding.id), std::system_error);
        }
        EXPECT_TRUE(problem.save() == state) << described(spec);
        EXPECT_EQ(read_file(path), written);
      }
      EXPECT_EQ(problem.counts().rounds, rounds);
      problem.tell(outstanding, 0.5);
      EXPECT_TRUE(restored().save() == problem.save()) << described(spec);
    }
    play(problem, world, 10, false);
    EXPECT_TRUE(restored().save() == problem.save()) << described(spec);
    EXPECT_EQ(problem.counts().decisions, 46);  // 4 times 10 in play(), and 3 times 2 between
  }
}

TEST(Problem, ALogThatWasChangedIsRefusedAtItsLine) {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("log.jsonl");
  {
    Problem problem({.names = {"a", "b"}}, path);
    problem.tell(problem.choose(), 0.5);
    problem.tell(problem.choose(), 0.25);
  }
  std::string log = read_file(path);
  const std::size_t outcome = log.find("\"outcome\": 0.5");
  ASSERT_NE(outcome, std::string::npos);
  log.replace(outcome, 14, "\"outcome\": 0.6");
  scratch.write("changed.jsonl", log);
  const std::string changed = scratch.file("changed.jsonl");
  EXPECT_TRUE(message_of([&] {
                Problem::restore_from_log(changed);
              }).starts_with(changed + ":4: decision 2 is "));
  const std::size_t first = log.find("{\"decision\": 1");
  scratch.write("gap.jsonl", log.substr(0, first) + log.substr(log.find("{\"decision\": 2")));
  EXPECT_EQ(message_of([&] { Problem::restore_from_log(scratch.file("gap.jsonl")); }),
            scratch.file("gap.jsonl") +
                ":2: \"decision\" is 2, expected 1: a log that a problem is restored from has all "
                "decisions");
  EXPECT_EQ(message_of([&] { Problem::restore_from_log(path).choose(); }), "");
  const Problem open = Problem::restore_from_log(path);
  EXPECT_EQ(
      message_of([&] { Problem::restore_from_log(path); }),
      path + ": is being written by another problem, expected a log that only this one writes");
}

constexpr std::size_t kWrongArms = 79;

// A learner of a user's program: it can draw among some arms, but has no probabilities. With
// kWrongArms arms it draws one that does not exist.
class PlaysTheFirst final : public LearnerBase<std::monostate>, public Restrictable {
 public:
  explicit PlaysTheFirst(const LearnerSpec& spec)
      : LearnerBase(spec, Information::side_observations) {}

  Decision choose(const Stream& /*stream*/) override {
    Decision decision = adopt(0);
    decision.arm = arms() == kWrongArms ? kWrongArms : 0;
    return decision;
  }
  Decision adopt(Arm arm) override { return book_.add(arm, 1, {}); }
  Decision choose_among(const Stream& /*stream*/, std::span<const Arm> available) override {
    return adopt(available.front());
  }
  Decision adopt_among(Arm arm, std::span<const Arm> /*available*/) override { return adopt(arm); }
  void observe(const Decision& decision, const Graph& graph, const Feedback& feedback) override {
    const Entry& entry = book_.find(decision, feedback);
    checker_.check(graph, feedback);
    ++rounds_;
    book_.erase(entry);
  }
  void load(StateReader& reader) override {
    rounds_ = reader.number();
    for (std::size_t arm = 0; arm < arms(); ++arm) {
      reader.number();
    }
    book_.load(reader, rounds_, [](const Entry* /*before*/) { return std::monostate(); });
  }

 private:
  void save_after_spec(StateWriter& writer) const override {
    writer.add(rounds_);
    for (std::size_t arm = 0; arm < arms(); ++arm) {
      writer.add(std::uint64_t{0});
    }
    book_.save(writer, [](const Entry& /*entry*/, const Entry* /*before*/) {});
  }

  std::uint64_t rounds_ = 0;
};

TEST(Problem, PlaysALearnerWithoutProbabilitiesAndRefusesAnArmThatDoesNotExist) {
  register_learner({.name = "plays-the-first",
                    .summary = "of a test",
                    .reference = "",
                    .exact = learner_factory([](const LearnerSpec& spec) {
                      return std::make_unique<PlaysTheFirst>(spec);
                    })});
  const ScratchDirectory scratch;
  const std::string path = scratch.file("log.jsonl");
  const auto problem_of = [](std::size_t arms) {
    return ProblemDescription{.names = names_for(arms),
                              .learner = LearnerSpec{.name = "plays-the-first"}};
  };
  {
    Problem problem(problem_of(3), path);
    const std::vector<std::string> available = {names_for(3)[1], names_for(3)[2]};
    const Choice choice = problem.choose(available);
    EXPECT_EQ(choice.arm, 1U);
    problem.tell(choice, 0.5);
  }
  EXPECT_EQ(Problem::restore_from_log(path, AfterRestoring::close).counts().rounds, 1U);
  Problem wrong(problem_of(kWrongArms));
  EXPECT_EQ(message_of([&] { wrong.choose(); }),
            "learner: draws arm 79 of 79 with probability 1, expected one of the arms and a "
            "probability in (0, 1]");
}

TEST(Problem, DecisionsThatAreNotOutstandingAreExplained) {
  Problem problem({.names = {"a", "b"}, .learner = {.name = "", .max_outstanding = 2}});
  const Choice first = problem.choose();
  const Choice second = problem.choose();
  problem.choose();
  EXPECT_EQ(problem.outstanding(), 2);
  EXPECT_EQ(message_of([&] { problem.tell(first, 1); }),
            "decision 1 was dropped: it was the oldest when more than 2 decisions "
            "(max_outstanding) awaited feedback");
  problem.tell(second, 1);
  EXPECT_EQ(message_of([&] { problem.tell(second, 1); }),
            "decision 2 is not outstanding: its feedback was given already, or it was forgotten");
  EXPECT_EQ(message_of([&] { problem.forget(9); }),
            "decision 9 was never made, expected one that choose() returned (3 so far)");
}

TEST(Problem, DecisionsWithTooManyDifferentGraphsAreDroppedFromTheOldestOn) {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("log.jsonl");
  constexpr std::size_t kArms = std::size_t{1} << 14U;
  constexpr std::size_t kMost = kMostOutstandingArms / kArms;
  Problem problem({.names = names_for(kArms), .logged_probabilities = LoggedProbabilities::played},
                  path);
  const auto choose_with = [&](double weight) {
    problem.set_graph(Graph::sparse(kArms, {{1, 2, weight}}));
    return problem.choose();
  };
  const Choice first = choose_with(1);
  const Choice second = choose_with(1);  // with the same graph
  Choice last;
  for (std::size_t k = 2; k <= kMost; ++k) {
    last = choose_with(1.0 / static_cast<double>(k));
  }
  EXPECT_EQ(problem.outstanding(), kMost + 1);
  choose_with(0.75);
  EXPECT_EQ(problem.outstanding(), kMost);
  EXPECT_EQ(problem.learner().outstanding(), kMost);
  for (const Choice& choice : {first, second}) {
    EXPECT_EQ(
        message_of([&] { problem.tell(choice, 1); }),
        fmt::format("decision {} is not outstanding: it had its feedback, was forgotten, or was "
                    "dropped when too many decisions, or decisions with different graphs of more "
                    "than 4194304 arms together, awaited feedback",
                    choice.id));
  }
  EXPECT_TRUE(Problem::restore_from_log(path, AfterRestoring::close).save() == problem.save());
  problem.forget(last.id);
  EXPECT_EQ(problem.outstanding(), kMost - 1);
}

TEST(Problem, ADamagedStateIsRefused) {
  Problem problem({.names = {"a", "b"}});
  problem.choose();
  const std::string state = problem.save();
  for (std::size_t size = 0; size < state.size(); size += 7) {
    EXPECT_THROW(Problem::restore(std::string_view(state).substr(0, size)), Error) << size;
  }
}

TEST(Problem, RefusesLearnersAndGraphsThatItCannotUse) {
  EXPECT_EQ(message_of([&] {
              Problem({.names = {"a", "b"}, .learner = {.name = "hedge"}});
            }),
            "learner: 'hedge' must be shown every true loss, expected a learner that uses "
            "only readings");
  EXPECT_EQ(message_of([&] {
              Problem({.names = {"a", "b"}, .graph = Graph::dense(2, {0.5, 0, 0, 0.5})});
            }),
            "graph: has the self weight 0.5, expected 1: the outcome of the arm played is known "
            "exactly");
  EXPECT_EQ(message_of([&] {
              Problem({.names = {"a", "b"}, .graph = Graph::sparse(3, {})});
            }),
            "graph: has 3 arms, expected 2, one for each name");
}

// --- Segments ------------------------------------------------------------------------------------

TEST(Segments, EachHasAProblemOfItsOwnAndItsLogIsContinued) {
  const ScratchDirectory scratch;
  const ProblemDescription description{.names = {"a", "b", "c"}};
  std::map<std::string, std::string> states;
  {
    Segments segments(description, scratch.file("logs"));
    for (int t = 0; t < 30; ++t) {
      for (const char* name : {"de/mobile", "fr", "%"}) {
        Problem& problem = segments[name];
        problem.tell(problem.choose(), t % 3 == 0 ? 1 : 0);
      }
    }
    EXPECT_EQ(segments.size(), 3);
    EXPECT_EQ(segments.names(), (std::vector<std::string>{"%", "de/mobile", "fr"}));
    EXPECT_NE(segments["fr"].description().seed, segments["%"].description().seed);
    for (const std::string& name : segments.names()) {
      states[name] = segments[name].save();
    }
  }
  Segments segments(description, scratch.file("logs"));
  EXPECT_FALSE(segments.contains("fr"));
  for (const auto& [name, state] : states) {
    EXPECT_TRUE(segments[name].save() == state) << name;
  }
  EXPECT_EQ(log_name_of_segment("de/mobile"), "de%2Fmobile.jsonl");
  EXPECT_EQ(log_name_of_segment(std::string(249, 'x')).size(), 255);
  EXPECT_EQ(message_of([] { log_name_of_segment(std::string(84, '/')); }),
            "segment: is '////////////////////////////////////////'..., the name of whose log has "
            "258 bytes, expected at most 255");
  EXPECT_EQ(message_of([&] { segments[""]; }), "segment: is '', expected a name in UTF-8");
}

TEST(Segments, ALogOfAnotherProblemIsRefused) {
  const ScratchDirectory scratch;
  const ProblemDescription description{
      .names = {"a", "b", "c"}, .graph = kThree, .noise_bound = 1, .learner = {.name = "exp3-wix"}};
  const auto choose_with = [&](const ProblemDescription& changed) {
    return message_of([&] { Segments(changed, scratch.file("logs"))["fr"].choose(); });
  };
  EXPECT_EQ(choose_with(description), "");
  const std::string log = scratch.read("logs/fr.jsonl");
  const auto refused = [&](const auto& change) {
    ProblemDescription changed = description;
    change(changed);
    std::string message = choose_with(changed);
    EXPECT_EQ(scratch.read("logs/fr.jsonl"), log);
    const std::string place = scratch.file("logs/fr.jsonl") + ":1: ";
    EXPECT_TRUE(message.starts_with(place)) << message;
    const std::string advice = ": a problem that has changed needs a new log";
    EXPECT_TRUE(message.ends_with(advice)) << message;
    return message.substr(place.size(), message.size() - place.size() - advice.size());
  };
  EXPECT_EQ(refused([](auto& problem) { problem.outcome.high = 100; }),
            "outcome.high is 1.0, expected 100.0");
  EXPECT_EQ(refused([](auto& problem) { problem.names[2] = "d"; }),
            "names is another list, expected that of the problem");
  EXPECT_EQ(refused([](auto& problem) { problem.graph = std::nullopt; }),
            "graph.arcs is another list, expected that of the problem");
  EXPECT_EQ(refused([](auto& problem) { problem.noise_bound = std::nullopt; }),
            "noise_bound is 1.0, expected absent");
  EXPECT_EQ(refused([](auto& problem) { problem.learner.name = "exp3-ivx"; }),
            "learner.name is \"exp3-wix\", expected \"exp3-ivx\"");
  EXPECT_EQ(refused([](auto& problem) { problem.learner.rate = 0.5; }),
            "learner.rate is absent, expected 0.5");

  // A seed determines draws, and those of the log have been made.
  ProblemDescription other_seed = description;
  other_seed.seed = 99;
  EXPECT_EQ(choose_with(other_seed), "");
  EXPECT_EQ(scratch.read("logs/fr.jsonl").substr(0, log.size()), log);
  // A log that was torn when it was first written has nothing to continue.
  scratch.write("logs/fr.jsonl", log.substr(0, 40));
  EXPECT_EQ(choose_with(description), "");
  EXPECT_EQ(scratch.read("logs/fr.jsonl"), log);
}

TEST(Problem, IsRestoredToTheSameBitsFromALogOfOneGraph) {
  const ScratchDirectory scratch;
  Problem problem({.names = {"a", "b", "c"}, .graph = kThree}, scratch.file("log.jsonl"));
  problem.choose();
  EXPECT_TRUE(Problem::restore_from_log(scratch.file("log.jsonl"), AfterRestoring::close).save() ==
              problem.save());
}

}  // namespace
}  // namespace hearsay
