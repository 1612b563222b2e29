#include "hearsay/certificate/certificate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/experiment/run.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/weighting.h"
#include "tests/dice.h"

namespace hearsay {
namespace {

// The smallest price(eps) * alpha(eps), by trying every subset and every threshold. (The solver for
// effective independence numbers has tests of its own; this oracle shares no code with it.)
double by_brute_force(const Graph& graph, const std::function<double(double)>& price) {
  const std::size_t n = graph.arms();
  std::vector<double> thresholds = {1.0};
  for (const double weight : graph.weights().values()) {
    if (weight > 0) {
      thresholds.push_back(weight);
    }
  }
  double smallest = INFINITY;
  for (const double eps : thresholds) {
    int alpha = 0;
    for (unsigned subset = 1; subset < 1U << n; ++subset) {
      bool independent = true;
      for (Arm i = 0; i < n; ++i) {
        for (Arm j = 0; j < n; ++j) {
          const bool both = i != j && (subset >> i & 1U) != 0 && (subset >> j & 1U) != 0;
          independent = independent && !(both && graph.weight(i, j) >= eps);
        }
      }
      alpha = independent ? std::max(alpha, std::popcount(subset)) : alpha;
    }
    smallest = std::min(smallest, alpha * price(eps));
  }
  return smallest;
}

TEST(Lemma2, BoundsQOnEveryGraph) {
  Dice dice(1);
  for (int instance = 0; instance < 60; ++instance) {
    const std::size_t n = 2 + dice.below(5);
    const double noise_bound = std::vector{0.0, 0.5, 1.0, 2.0}[dice.below(4)];
    const auto effective = [](double eps) { return 1 / (eps * eps); };
    const auto of_ivx = [&](double eps) {
      const double ratio = noise_bound * (1 - eps) / eps;
      return 1 + ratio * ratio;
    };
    const Graph graph = random_graph(dice, n);
    for (const char* name : {"exp3-wix", "exp3-ivx"}) {
      const bool ivx = std::string(name) == "exp3-ivx";
      const double alpha = by_brute_force(graph, ivx ? std::function<double(double)>(of_ivx)
                                                     : std::function<double(double)>(effective));
      const auto learner = make_learner({.name = name, .arms = n, .noise_bound = noise_bound});
      const Noise noise{NoiseLaw::uniform, noise_bound};
      const auto environment = make_environment(
          losses::bernoulli({.arms = n, .gap = 0.4}, Stream(dice.below(1000), Purpose::losses)),
          graphs::fixed(graph));
      hearsay::Run run(*environment, *learner, noise, {});
      for (int t = 0; t < 50; ++t) {
        run.step();
        const RoundFigures figures = last_round_of(*learner).value();
        ASSERT_LE(figures.q, largest_q(alpha, n, figures.exploration)) << name;
      }
    }
  }
}

struct Arena {
  const char* name;
  std::function<std::unique_ptr<Environment>(std::uint64_t sequence)> make;
};

std::vector<Arena> arenas() {
  constexpr std::size_t kArms = 9;
  Dice dice(2);
  const Graph mixed = random_graph(dice, kArms);
  const Graph noisy = Graph::dense(kArms, [] {
    std::vector<double> weights(kArms * kArms, 0.3);
    for (std::size_t i = 0; i < kArms; ++i) {
      weights[i * kArms + i] = 1;
    }
    return weights;
  }());
  const auto stream = [](std::uint64_t sequence) { return Stream(7, Purpose::losses, sequence); };
  return {
      {"walks",
       [=](std::uint64_t k) {
         return make_environment(losses::walks({.arms = kArms}, stream(k)), graphs::fixed(mixed));
       }},
      {"bernoulli",
       [=](std::uint64_t k) {
         return make_environment(losses::bernoulli({.arms = kArms}, stream(k)),
                                 graphs::fixed(noisy));
       }},
      {"switching, changing graphs",
       [=](std::uint64_t k) {
         return make_environment(losses::switching({.arms = kArms, .period = 200}, stream(k)),
                                 graphs::redrawn({.arms = kArms}, Stream(7, Purpose::graph, k)));
       }},
      {"trap",
       [=](std::uint64_t k) {
         return make_environment(losses::trap({.arms = kArms, .turn = 500}, stream(k)),
                                 graphs::alternating({mixed, noisy}, 50));
       }},
      {"adaptive adversary",
       [=](std::uint64_t k) {
         return make_environment(losses::adversary({.arms = kArms}, stream(k)),
                                 graphs::fixed(mixed));
       }},
  };
}

// The certificate bounds the expected regret in the mean. Over 200 seeds the mean regret against
// every arm, plus four of its standard errors, stays below the mean of the certificates.
TEST(Lemma1, CertificatesBoundTheMeanRegret) {
  constexpr std::uint64_t kSeeds = 200;
  constexpr std::uint64_t kRounds = 1000;
  for (const Arena& arena : arenas()) {
    for (const LearnerSpec& spec :
         std::vector<LearnerSpec>{{.name = "exp3-wix"},
                                  {.name = "exp3-wix", .tuning = Tuning::sharp},
                                  {.name = "exp3-ivx"}}) {
      double bound = 0;
      std::vector<double> sum;
      std::vector<double> squares;
      for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto environment = arena.make(seed);
        LearnerSpec sized = spec;
        sized.arms = environment->arms();
        sized.out_of_range = OutOfRange::refuse;
        const auto learner = make_learner(sized);
        hearsay::Run run(*environment, *learner, {NoiseLaw::rademacher, 1},
                         {.seed = 3, .repetition = seed});
        run.steps(kRounds);
        ASSERT_TRUE(certificate_of(*learner)->regret_bound) << arena.name;
        bound += *certificate_of(*learner)->regret_bound / kSeeds;
        sum.resize(sized.arms);
        squares.resize(sized.arms);
        for (std::size_t i = 0; i < sized.arms; ++i) {
          const double regret = run.loss() - run.arm_losses()[i];
          sum[i] += regret;
          squares[i] += regret * regret;
        }
      }
      for (std::size_t i = 0; i < sum.size(); ++i) {
        const double mean = sum[i] / kSeeds;
        const double variance = squares[i] / kSeeds - mean * mean;
        const double error = std::sqrt(variance / (kSeeds - 1));
        EXPECT_LE(mean + 4 * error, bound) << arena.name << ", " << spec.name << ", arm " << i;
      }
    }
  }
}

TEST(Certificate, OfThePaperIsAtMostItsClosedForm) {
  Dice dice(4);
  for (const double r : {0.5, 1.0, 2.0}) {
    const auto learner = make_learner({.name = "exp3-wix", .arms = 6, .noise_bound = r});
    const auto environment =
        make_environment(losses::bernoulli({.arms = 6}, Stream(1, Purpose::losses)),
                         graphs::fixed(random_graph(dice, 6)));
    hearsay::Run run(*environment, *learner, {NoiseLaw::uniform, r}, {});
    for (int t = 0; t < 300; ++t) {
      run.step();
      const Certificate certificate = certificate_of(*learner).value();
      const double closed_form =
          2 * std::sqrt(2 * (1 + r + r * r) * (6 + certificate.q_sum) * std::log(6.0));
      ASSERT_LE(*certificate.regret_bound, closed_form * (1 + 1e-12)) << "relative";
    }
  }
}

TEST(Certificate, NeedsTheExplorationOfItsTheorem) {
  const Graph graph = Graph::sparse(2, {});
  const std::vector<Observation> seen = {{0, 0.5}};
  const auto promises = [&](LearnerSpec spec) {
    spec.arms = 2;
    const auto learner = make_learner(spec);
    learner->observe(learner->adopt(0), graph, {0, seen});
    return certificate_of(*learner)->regret_bound.has_value();
  };
  EXPECT_TRUE(promises({.name = "exp3-wix", .rate = 0.1, .exploration = 0.1}));
  EXPECT_FALSE(promises({.name = "exp3-wix", .rate = 0.1, .exploration = 0.09}));
  EXPECT_TRUE(
      promises({.name = "exp3-wix", .rate = 0.1, .exploration = 0.025, .tuning = Tuning::sharp}));
  EXPECT_FALSE(
      promises({.name = "exp3-wix", .rate = 0.1, .exploration = 0.02, .tuning = Tuning::sharp}));
  EXPECT_TRUE(promises({.name = "exp3-ivx", .rate = 0.1, .exploration = 0.05}));
  EXPECT_FALSE(promises({.name = "exp3-ivx", .rate = 0.1, .exploration = 0.04}));
  EXPECT_TRUE(promises({.name = "exp3-wix", .noise_bound = 0, .rate = 0.1}));
  EXPECT_FALSE(promises({.name = "exp3"}));
  EXPECT_FALSE(promises({.name = "exp3-ixt", .threshold = 0.5}));
}

}  // namespace
}  // namespace hearsay
