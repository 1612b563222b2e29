// Draws from a subset of a learner's arms.

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/learner/catalogue.h"
#include "tests/every_learner.h"
#include "tests/random_source.h"

namespace hearsay {
namespace {

constexpr std::size_t kArms = 5;
const std::vector<Arm> kAvailable = {1, 2, 4};

std::vector<Observation> observations_of(const Graph& graph, Arm played,
                                         std::span<const double> losses) {
  std::vector<Observation> observations;
  graph.for_each_seen(played, [&](Arm seen, double weight) {
    observations.push_back({seen, weight * losses[seen]});
  });
  return observations;
}

std::vector<double> random_losses(RandomSource& dice) {
  std::vector<double> losses(kArms);
  for (double& loss : losses) {
    loss = dice.uniform();
  }
  return losses;
}

void show_graph(Learner& learner, const Graph& graph) {
  if (Informed* informed = informed_of(learner)) {
    informed->see_graph(graph);
  }
}

// A random set of arms, with at least one.
std::vector<Arm> random_subset(RandomSource& dice) {
  std::vector<Arm> arms;
  while (arms.empty()) {
    for (Arm arm = 0; arm < kArms; ++arm) {
      if (dice.chance(0.6)) {
        arms.push_back(arm);
      }
    }
  }
  return arms;
}

std::unique_ptr<Learner> learner_after_rounds(const LearnerSpec& spec, const Graph& graph,
                                              RandomSource& dice, int rounds) {
  auto learner = make_learner(spec);
  const Stream stream(1, Purpose::draw);
  for (int t = 0; t < rounds; ++t) {
    show_graph(*learner, graph);
    const Decision decision = learner->choose(stream);
    const auto observations = observations_of(graph, decision.arm, random_losses(dice));
    learner->observe(decision, graph, {decision.arm, observations});
  }
  return learner;
}

TEST(RestrictedDraw, HasTheProbabilitiesOfAllArmsScaledToThoseAvailable) {
  RandomSource dice(1);
  const Graph graph = random_graph(dice, kArms);
  const auto learner =
      learner_after_rounds({.name = "exp3-wix", .arms = kArms, .rate = 0.5}, graph, dice, 20);
  const std::span<const double> all = probabilities_of(*learner);
  const std::vector<double> p(all.begin(), all.end());
  const double total = p[1] + p[2] + p[4];
  std::vector<int> drawn(kArms);
  constexpr int kDraws = 20'000;
  for (int t = 0; t < kDraws; ++t) {
    const Stream stream(static_cast<std::uint64_t>(t), Purpose::draw);
    const Decision decision = restrictable_of(*learner)->choose_among(stream, kAvailable);
    EXPECT_DOUBLE_EQ(decision.probability, p[decision.arm] / total);
    ++drawn[decision.arm];
    learner->forget(decision);
  }
  for (Arm arm = 0; arm < kArms; ++arm) {
    const bool available = arm == 1 || arm == 2 || arm == 4;
    const double mean = available ? p[arm] / total : 0;
    // Five standard deviations of the share of kDraws draws.
    EXPECT_NEAR(drawn[arm] / static_cast<double>(kDraws), mean,
                5 * std::sqrt(mean * (1 - mean) / kDraws));
  }
}

// Enumerates the draws. Without exploration, the means of the estimates of exp3-wix, exp3-ivx and
// exp3 are the losses for available arms, and the learner's own mean loss for the others.
TEST(RestrictedDraw, EstimatesOfAvailableArmsAreUnbiasedAndAbsentOnesAreChargedTheMean) {
  for (const char* name : {"exp3", "exp3-wix", "exp3-ivx"}) {
    RandomSource dice(2);
    const Graph graph = random_graph(dice, kArms);
    LearnerSpec spec{.name = name, .arms = kArms, .rate = 0.3};
    if (spec.name != "exp3") {
      spec.exploration = 0;
    }
    const auto learner = learner_after_rounds(spec, graph, dice, 10);
    const std::string state = learner->save();
    const std::vector<double> losses = random_losses(dice);
    std::vector<double> means(kArms);
    double own_mean = 0;
    for (const Arm played : kAvailable) {
      const auto copy = restore_learner(state);
      const Decision decision = restrictable_of(*copy)->adopt_among(played, kAvailable);
      copy->observe(decision, graph, {played, observations_of(graph, played, losses)});
      const RoundDetails details = last_round_of(*copy).value();
      for (Arm arm = 0; arm < kArms; ++arm) {
        means[arm] += decision.probability * details.estimates[arm];
      }
      own_mean += decision.probability * losses[played];
    }
    for (Arm arm = 0; arm < kArms; ++arm) {
      const bool available = arm == 1 || arm == 2 || arm == 4;
      EXPECT_NEAR(means[arm], available ? losses[arm] : own_mean, 1e-12) << name << " " << arm;
    }
  }
}

// exp(-rate * mean) <= the mean of exp(-rate * estimate), so the share of an absent arm never
// rises.
TEST(RestrictedDraw, AnArmGainsNothingByBeingAbsent) {
  RandomSource dice(3);
  const Graph graph = Graph::sparse(kArms, {});
  const auto learner =
      learner_after_rounds({.name = "exp3", .arms = kArms, .rate = 0.05}, graph, dice, 30);
  double share = probabilities_of(*learner)[0] + probabilities_of(*learner)[3];
  const double before = share;
  const Stream stream(5, Purpose::draw);
  for (int t = 0; t < 500; ++t) {
    const Decision decision = restrictable_of(*learner)->choose_among(stream, kAvailable);
    const std::vector<Observation> own = {{decision.arm, dice.uniform()}};
    learner->observe(decision, graph, {decision.arm, own});
    const double next = probabilities_of(*learner)[0] + probabilities_of(*learner)[3];
    EXPECT_LE(next, share * (1 + 1e-12));
    share = next;
  }
  EXPECT_GT(share, 0.01 * before);  // nor does it fall to nothing
}

TEST(RestrictedDraw, EndsEveryBoundInItsRound) {
  RandomSource dice(4);
  const Graph graph = random_graph(dice, kArms);
  for (LearnerSpec spec : every_learner(kArms)) {
    spec.bounds = Bounds::all;
    const auto learner = make_learner(spec);
    Restrictable* restrictable = restrictable_of(*learner);
    if (restrictable == nullptr || learner->information() == Information::true_losses) {
      continue;
    }
    const auto give_feedback = [&](const Decision& decision) {
      const auto observations = observations_of(graph, decision.arm, random_losses(dice));
      learner->observe(decision, graph, {decision.arm, observations});
    };
    show_graph(*learner, graph);
    give_feedback(learner->adopt(0));
    show_graph(*learner, graph);
    give_feedback(restrictable->adopt_among(1, kAvailable));
    show_graph(*learner, graph);
    give_feedback(learner->adopt(0));
    const Certificate certificate = certificate_of(*learner).value();
    EXPECT_EQ(certificate.rounds, 3);
    EXPECT_EQ(certificate.regret_bound, std::nullopt) << described(spec);
    for (const RegretBound& bound : certificate.bounds) {
      EXPECT_EQ(bound.value, std::nullopt) << described(spec) << " " << bound.name;
      if (bound.failed_in_round == 2) {  // some fail earlier for other reasons
        EXPECT_EQ(bound.failure, "some arms were not available");
      } else {
        EXPECT_EQ(bound.failed_in_round, 1) << described(spec) << " " << bound.name;
      }
    }
  }
}

// Late feedback, changing sets of arms, and a learner restored in the middle.
TEST(RestrictedDraw, EveryLearnerThatHasItStaysValidAndIsRestoredToTheSameBits) {
  std::size_t tested = 0;
  for (LearnerSpec spec : every_learner(kArms)) {
    spec.bounds = Bounds::all;
    auto learner = make_learner(spec);
    if (restrictable_of(*learner) == nullptr ||
        learner->information() == Information::true_losses) {
      continue;
    }
    ++tested;
    RandomSource dice(5);
    const Graph graph = random_graph(dice, kArms);
    const Stream stream(1, Purpose::draw);
    std::vector<Decision> outstanding;
    for (int t = 0; t < 200; ++t) {
      show_graph(*learner, graph);
      const std::vector<Arm> available = random_subset(dice);
      const Decision decision = restrictable_of(*learner)->choose_among(stream, available);
      EXPECT_TRUE(std::ranges::binary_search(available, decision.arm));
      outstanding.push_back(decision);
      if (outstanding.size() > 3) {
        const std::size_t k = dice.below(outstanding.size());
        const auto losses = random_losses(dice);
        const auto observations = observations_of(graph, outstanding[k].arm, losses);
        const auto restored = restore_learner(learner->save());
        restored->observe(outstanding[k], graph, {outstanding[k].arm, observations});
        learner->observe(outstanding[k], graph, {outstanding[k].arm, observations});
        ASSERT_TRUE(restored->save() == learner->save()) << described(spec);
        outstanding.erase(outstanding.begin() + static_cast<std::ptrdiff_t>(k));
      }
      const std::span<const double> p = probabilities_of(*learner);
      ASSERT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9) << described(spec);
    }
  }
  EXPECT_GT(tested, 10);
}

TEST(RestrictedDraw, RefusesWrongSetsOfArmsAndChangesNothing) {
  const auto learner = make_learner({.name = "exp3-wix", .arms = kArms});
  Restrictable& restrictable = *restrictable_of(*learner);
  const std::string before = learner->save();
  const Stream stream(1, Purpose::draw);
  EXPECT_THROW(restrictable.choose_among(stream, {}), Error);
  EXPECT_THROW(restrictable.choose_among(stream, std::vector<Arm>{1, 1}), Error);
  EXPECT_THROW(restrictable.choose_among(stream, std::vector<Arm>{2, 1}), Error);
  EXPECT_THROW(restrictable.choose_among(stream, std::vector<Arm>{1, kArms}), Error);
  EXPECT_THROW(restrictable.adopt_among(0, kAvailable), Error);
  EXPECT_TRUE(learner->save() == before);
}

}  // namespace
}  // namespace hearsay
