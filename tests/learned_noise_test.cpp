#include "hearsay/learner/learned_noise.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/random_source.h"

namespace hearsay {
namespace {

constexpr std::size_t kArmsInNoise = 5;
constexpr int kRoundsInNoise = 1024;

// The learned variance of noise that is -level or level, with losses of 0 or 1, if arm 0 is always
// played and shows all other arms with this weight.
double learned_variance(double weight, double level) {
  RandomSource dice(1);
  std::vector<double> weights(kArmsInNoise * kArmsInNoise, weight);
  for (std::size_t i = 0; i < kArmsInNoise; ++i) {
    weights[i * kArmsInNoise + i] = 1;
  }
  const Graph graph = Graph::dense(kArmsInNoise, weights);
  LearnedNoise noise;
  for (int t = 0; t < kRoundsInNoise; ++t) {
    std::vector<Observation> observations(kArmsInNoise);
    for (Arm arm = 0; arm < kArmsInNoise; ++arm) {
      const double share = arm == 0 ? 1 : weight;
      const double loss = dice.chance(0.5) ? 1 : 0;
      const double error = dice.chance(0.5) ? level : -level;
      observations[arm] = {arm, share * loss + (1 - share) * error};
    }
    noise.learn({graph, 0, observations, graph.weights().row(0)});
  }
  return noise.standard_deviation() * noise.standard_deviation();
}

TEST(LearnedNoise, FindsTheVarianceAsFarAsTheWeightsShowIt) {
  for (const double weight : {0.3, 0.59, 0.6, 0.8, 0.95}) {
    for (const double level : {0.1, 1.0, 30.0}) {
      // (observation - weight / 2)^2 is (1 - weight)^2 level^2 + weight^2 / 4 for these losses,
      // plus or minus weight (1 - weight) level, of mean 0. The tolerance is five standard
      // deviations of the mean.
      const double ratio = weight / (1 - weight);
      const double from_losses = ratio * ratio / 4;
      const double variance = level * level;
      const double expected =
          weight < 0.6 ? variance + from_losses : std::clamp(1.0, variance, variance + from_losses);
      const double tolerance = 5 * ratio * level / std::sqrt((kArmsInNoise - 1) * kRoundsInNoise);
      EXPECT_NEAR(learned_variance(weight, level), expected, tolerance) << weight << " " << level;
    }
  }
}

TEST(LearnedNoise, IsOneWithoutNoisyObservations) {
  EXPECT_EQ(learned_variance(1, 30), 1);
  EXPECT_EQ(learned_variance(0, 30), 1);
}

}  // namespace
}  // namespace hearsay
