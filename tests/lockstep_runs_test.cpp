#include "hearsay/play/lockstep_runs.h"

#include <bit>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/rows.h"
#include "tests/every_learner.h"
#include "tests/simd_targets.h"

namespace hearsay {
namespace {

constexpr std::size_t kLockstepArms = 11;

std::vector<double> dense_weights(std::uint64_t round) {
  std::vector<double> weights(kLockstepArms * kLockstepArms);
  Stream(3, Purpose::graph).fill_uniform(round, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = weights[i] < 0.2 ? 0 : weights[i] > 0.8 ? 1 : weights[i];
  }
  for (std::size_t i = 0; i < kLockstepArms; ++i) {
    weights[i * kLockstepArms + i] = 1;
  }
  return weights;
}

Graph dense(std::uint64_t round = 1) {
  return Graph::dense(kLockstepArms, dense_weights(round));
}

Graph sparse() {
  const std::vector<double> weights = dense_weights(2);
  std::vector<Arc> arcs;
  for (Arm played = 0; played < kLockstepArms; ++played) {
    for (Arm seen = 0; seen < kLockstepArms; ++seen) {
      if (played != seen && weights[played * kLockstepArms + seen] < 0.4) {
        arcs.push_back({played, seen, weights[played * kLockstepArms + seen]});
      }
    }
  }
  return Graph::sparse(kLockstepArms, arcs);
}

MakeEnvironment environment_on(const Graph& graph) {
  return [graph] {
    return make_environment(
        losses::walks({.arms = kLockstepArms, .walks = 3, .step = 0.1}, Stream(5, Purpose::losses)),
        graphs::fixed(graph));
  };
}

// Every learner of the catalogue that has a lockstep engine, and some with other parameters.
std::vector<LearnerSpec> every_lockstep_learner() {
  std::vector<LearnerSpec> specs = every_learner(kLockstepArms);
  std::erase_if(specs, [](const LearnerSpec& spec) { return !has_lockstep(spec); });
  specs.push_back({.name = "exp3-wix", .arms = kLockstepArms, .rate = 0.3, .exploration = 0});
  specs.push_back({.name = "exp3-wix", .arms = kLockstepArms, .delta = 1.5});
  specs.push_back({.name = "exp3-ixb", .arms = kLockstepArms, .threshold = 0});
  specs.push_back(
      {.name = "exp3-ivx", .arms = kLockstepArms, .noise_bound = 0.25});  // less than the noise
  specs.push_back({.name = "exp3-ivc", .arms = kLockstepArms, .noise_bound = 0.25});
  specs.push_back({.name = "exp3-ivc", .arms = kLockstepArms, .tuning = Tuning::ada});
  specs.push_back({.name = "tsallis-ivc", .arms = kLockstepArms, .order = 0.75});
  specs.push_back({.name = "tsallis-wix", .arms = kLockstepArms, .order = 0.3});
  // At these rates some or all arms have too little coverage to be centred.
  specs.push_back({.name = "exp3-ivc", .arms = kLockstepArms, .rate = 0.7});
  specs.push_back({.name = "tsallis-ivc", .arms = kLockstepArms, .rate = 5});
  // At these rates some probabilities fall to 0.
  specs.push_back({.name = "exp3", .arms = kLockstepArms, .rate = 60});
  specs.push_back({.name = "exp3-ivx-clip", .arms = kLockstepArms, .rate = 60});
  specs.push_back({.name = "exp3-ivc", .arms = kLockstepArms, .rate = 60});
  specs.push_back({.name = "exp3-ivx-share", .arms = kLockstepArms, .rate = 60});
  specs.push_back({.name = "tsallis-inf", .arms = kLockstepArms, .rate = 60});
  // A horizon with which every draw is partly uniform, and one with which it is entirely uniform.
  specs.push_back({.name = "exp3.s", .arms = kLockstepArms, .switches = 3, .horizon = 10'000});
  specs.push_back({.name = "exp3.s", .arms = kLockstepArms, .switches = 3, .horizon = 60});
  specs.push_back({.name = "exp3.g", .arms = kLockstepArms, .alpha = 3, .horizon = 60});
  specs.push_back({.name = "q-ftrl", .arms = kLockstepArms, .alpha = 3, .horizon = 60});
  return specs;
}

std::vector<RunKey> run_keys(std::size_t runs) {
  std::vector<RunKey> all;
  for (std::uint64_t i = 0; i < runs; ++i) {
    all.push_back({.seed = 9, .repetition = 2 + i});
  }
  return all;
}

std::uint64_t bits(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

void expect_same_run(const LockstepRuns& lockstep, std::size_t i, const Run& separate,
                     const Learner& learner) {
  SCOPED_TRACE("run " + std::to_string(i) + ", round " + std::to_string(separate.rounds()));
  for (const auto value : kCurveValues) {
    ASSERT_EQ(bits(lockstep.point(i).*value), bits(separate.point().*value));
  }
  const Certificate certificate = lockstep.learners().certificate(i);
  const Certificate expected = certificate_of(learner).value();
  ASSERT_EQ(certificate.rounds, expected.rounds);
  ASSERT_EQ(bits(certificate.q), bits(expected.q));
  ASSERT_EQ(bits(certificate.q_sum), bits(expected.q_sum));
  ASSERT_EQ(certificate.out_of_range, expected.out_of_range);
  ASSERT_EQ(certificate.regret_bound.has_value(), expected.regret_bound.has_value());
  ASSERT_EQ(bits(certificate.regret_bound.value_or(0)), bits(expected.regret_bound.value_or(0)));
  for (Arm arm = 0; arm < kLockstepArms; ++arm) {
    ASSERT_EQ(bits(lockstep.learners().probability(i, arm)), bits(probabilities_of(learner)[arm]))
        << "arm " << arm;
  }
}

// Plays the runs in lockstep and one by one, and compares everything observable at three points.
void expect_same_runs(const MakeEnvironment& make, const LearnerSpec& spec, const Noise& noise,
                      std::size_t runs) {
  SCOPED_TRACE(described(spec) + ", " + std::to_string(runs) + " runs");
  const std::vector<RunKey> keys = run_keys(runs);
  LockstepRuns lockstep(spec, noise, keys, make());
  std::vector<std::unique_ptr<Environment>> environments;
  std::vector<std::unique_ptr<Learner>> learners;
  std::vector<std::unique_ptr<Run>> separate;
  for (std::size_t i = 0; i < runs; ++i) {
    environments.push_back(make());
    learners.push_back(make_learner(spec));
    separate.push_back(std::make_unique<Run>(*environments[i], *learners[i], noise, keys[i]));
  }
  for (const std::uint64_t rounds : {1U, 7U, 52U}) {
    for (std::uint64_t t = 0; t < rounds; ++t) {
      lockstep.play_round();
    }
    for (std::size_t i = 0; i < runs; ++i) {
      separate[i]->steps(rounds);
      ASSERT_NO_FATAL_FAILURE(expect_same_run(lockstep, i, *separate[i], *learners[i]));
    }
  }
}

TEST(LockstepRuns, HaveTheBitsOfSingleRunsForEveryLearnerAndTarget) {
  with_every_target([] {
    for (const LearnerSpec& spec : every_lockstep_learner()) {
      for (const Graph& graph : {dense(), sparse()}) {
        expect_same_runs(environment_on(graph), spec, {}, 19);
      }
    }
  });
}

TEST(LockstepRuns, HaveTheBitsOfSingleRunsForAnyNumberOfRuns) {
  for (const std::size_t runs : {1U, 3U, 8U, 16U, 64U}) {
    expect_same_runs(environment_on(dense()), {.name = "exp3-wix", .arms = kLockstepArms}, {},
                     runs);
    expect_same_runs(environment_on(sparse()), {.name = "exp3-wix", .arms = kLockstepArms}, {},
                     runs);
  }
}

TEST(LockstepRuns, HaveTheBitsOfSingleRunsForEveryNoiseLaw) {
  for (const CatalogueEntry& law : noise_catalogue()) {
    for (const double bound : {0.5, 2.0}) {
      const Noise noise = make_noise(law.name, bound);
      for (const Graph& graph : {dense(), sparse()}) {
        expect_same_runs(environment_on(graph), {.name = "exp3-wix", .arms = kLockstepArms}, noise,
                         5);
      }
    }
  }
}

TEST(LockstepRuns, HaveTheBitsOfSingleRunsWhereLossesAndGraphsChange) {
  const Stream stream(5, Purpose::losses);
  const std::vector<MakeEnvironment> environments = {
      [&] {
        return make_environment(losses::bernoulli({.arms = kLockstepArms}, stream),
                                graphs::alternating({dense(1), sparse(), dense(2)}, 3));
      },
      [&] {
        return make_environment(losses::switching({.arms = kLockstepArms, .period = 10}, stream),
                                graphs::redrawn([](std::uint64_t round) {
                                  return make_uniform({.arms = kLockstepArms},
                                                      Stream(5, Purpose::graph), round);
                                }));
      },
      [&] {
        return make_environment(losses::trap({.arms = kLockstepArms, .turn = 30}, stream),
                                graphs::fixed(dense()));
      },
  };
  for (const MakeEnvironment& make : environments) {
    for (const char* name : {"exp3-wix", "exp3-basic", "exp3-ivc", "tsallis-ivc", "hedge"}) {
      expect_same_runs(make, {.name = name, .arms = kLockstepArms}, {}, 5);
    }
  }
}

std::string state_of(const LockstepRuns& runs) {
  StateWriter writer("runs");
  runs.save(writer);
  return writer.finish();
}

void expect_to_continue(const LearnerSpec& spec) {
  SCOPED_TRACE(described(spec));
  LockstepRuns uninterrupted(spec, {}, run_keys(18), environment_on(dense())());
  LockstepRuns resumed(spec, {}, run_keys(18), environment_on(dense())());
  for (int t = 0; t < 40; ++t) {
    if (t == 20) {
      const std::string state = state_of(uninterrupted);
      StateReader reader(state, "runs");
      resumed.load(reader);
      reader.finish();
    }
    uninterrupted.play_round();
    if (t >= 20) {
      resumed.play_round();
    }
  }
  EXPECT_EQ(state_of(uninterrupted), state_of(resumed));
}

TEST(LockstepRuns, ContinueFromASavedStateWithTheSameBits) {
  for (const LearnerSpec& spec : every_lockstep_learner()) {
    expect_to_continue(spec);
  }
}

// The bounds of theorems about exact losses end in this case.
TEST(LockstepRuns, HaveTheBitsOfSingleRunsForSelfWeightsBelowOne) {
  std::vector<double> weights = dense_weights(4);
  for (std::size_t i = 0; i < kLockstepArms; ++i) {
    weights[i * kLockstepArms + i] = 0.75;
  }
  const Graph graph = Graph::dense(kLockstepArms, weights);
  for (const LearnerSpec& spec : every_lockstep_learner()) {
    expect_same_runs(environment_on(graph), spec, {}, 3);
  }
}

TEST(LockstepRuns, RefuseAStateWhoseSharedWeightsAreNotProbabilities) {
  const LearnerSpec spec{.name = "exp3-ivc-share", .arms = kLockstepArms};
  const auto learners = make_lockstep_learners(spec, 1, RangeCheck::needed);
  StateWriter damaged("learners");
  for (std::size_t arm = 0; arm < kLockstepArms; ++arm) {
    damaged.add(0.5);
  }
  const std::string state = damaged.finish();
  StateReader reader(state, "learners");
  EXPECT_THROW(learners->load(reader), Error);
}

// Runs that learn the noise level weight the same graph differently.
TEST(LockstepRuns, AreNotForLearnersThatLearnTheNoiseLevel) {
  LearnerSpec spec{.name = "exp3-ivc", .arms = kLockstepArms, .tuning = Tuning::ada};
  EXPECT_TRUE(has_lockstep(spec));
  spec.noise = NoiseLevel::learned;
  EXPECT_FALSE(has_lockstep(spec));
}

// The bounds of every theorem have the bits of single runs, for any estimates.
TEST(LockstepRuns, KeepAccountOfEveryDesignatedTheorem) {
  for (const auto& theorem :
       {theorems::paper({.least_exploration_per_rate = 0.5, .second_moment = 0.75}),
        theorems::entropic({.second_moment = 0.75}), theorems::realised(CoveredSelfWeight::any)}) {
    const std::string name = "lockstep-test-" + std::string(theorem->text().name);
    register_learner(exponential_weights_row({.name = name, .summary = "", .reference = ""},
                                             Lazy::no, [theorem](const LearnerSpec& spec) {
                                               return ExponentialWeights{
                                                   weightings::inverse_variance(spec.noise_bound),
                                                   schedules::by_cost(spec.arms, 1, 0.5),
                                                   {.designated = theorem}};
                                             }));
    expect_same_runs(environment_on(dense()), {.name = name, .arms = kLockstepArms}, {}, 5);
    expect_same_runs(environment_on(sparse()), {.name = name, .arms = kLockstepArms}, {}, 5);
  }
}

// Learners without a lockstep engine, and those with the lazy engine, are played one by one.
TEST(LockstepRuns, AreOnlyForLearnersWithALockstepEngine) {
  const std::unique_ptr<Environment> environment = environment_on(dense())();
  LearnerSpec lazy{.name = "exp3-wix", .arms = kLockstepArms, .engine = Engine::lazy};
  EXPECT_FALSE(LockstepRuns::can_run(lazy, {}, *environment));
  register_learner(index_policy_row(
      {.name = "lockstep-test-follow-the-leader", .summary = "", .reference = ""},
      [](const LearnerSpec&) { return [](const ArmStatistics& arm) { return arm.mean; }; }));
  EXPECT_FALSE(LockstepRuns::can_run(
      {.name = "lockstep-test-follow-the-leader", .arms = kLockstepArms}, {}, *environment));
}

TEST(LockstepRuns, AreNotUsedWhereOneRunMightEndBeforeTheOthers) {
  const std::unique_ptr<Environment> environment = environment_on(dense())();
  LearnerSpec spec{.name = "exp3-wix", .arms = kLockstepArms, .noise_bound = 1};
  EXPECT_TRUE(LockstepRuns::can_run(spec, {.bound = 2}, *environment));
  spec.out_of_range = OutOfRange::refuse;
  EXPECT_TRUE(LockstepRuns::can_run(spec, {.bound = 1}, *environment));
  EXPECT_FALSE(LockstepRuns::can_run(spec, {.bound = 2}, *environment));
  EXPECT_TRUE(LockstepRuns::can_run(spec, {.law = NoiseLaw::none, .bound = 2}, *environment));
}

TEST(LockstepRuns, AreNotUsedInAnAdaptiveEnvironment) {
  const auto adaptive =
      make_environment(losses::adversary({.arms = kLockstepArms}, Stream(5, Purpose::losses)),
                       graphs::fixed(dense()));
  EXPECT_FALSE(LockstepRuns::can_run({.name = "exp3-wix", .arms = kLockstepArms}, {}, *adaptive));
}

TEST(LockstepRuns, RefuseAnEnvironmentWithAnotherNumberOfArms) {
  const LearnerSpec spec{.name = "exp3-wix", .arms = kLockstepArms + 1};
  EXPECT_THROW(LockstepRuns(spec, {}, run_keys(2), environment_on(dense())()), Error);
}

}  // namespace
}  // namespace hearsay
