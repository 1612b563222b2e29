#include "hearsay/environment/noise.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "hearsay/base/error.h"

namespace hearsay {
namespace {

TEST(Noise, HasMeanZeroAndStaysWithinItsLargestValue) {
  constexpr int kDraws = 100'000;
  const Stream stream(1, Purpose::noise);
  for (const CatalogueEntry& entry : noise_catalogue()) {
    for (const double bound : {0.0, 0.5, 2.0}) {
      const Noise noise = make_noise(entry.name, bound);
      double mean = 0;
      for (std::uint64_t round = 0; round < kDraws; ++round) {
        const double value = noise.draw(stream, round, 3);
        ASSERT_LE(std::abs(value), noise.largest());
        mean += value / kDraws;
      }
      // The standard deviation of a draw is at most the bound, or sqrt(3) times the bound for
      // Student's t; the tolerance is five standard errors.
      EXPECT_NEAR(mean, 0, 5 * std::sqrt(3) * bound / std::sqrt(1.0 * kDraws)) << entry.name;
    }
  }
}

TEST(Noise, HasTheVarianceOfItsLaw) {
  constexpr int kDraws = 100'000;
  const Stream stream(2, Purpose::noise);
  // A standard normal truncated to [-2, 2] has variance 1 - 4 phi(2) / (2 Phi(2) - 1). The noise is
  // half of it.
  const double phi = std::exp(-2.0) / std::sqrt(2 * M_PI);
  const double truncated = (1 - 4 * phi / std::erf(std::sqrt(2.0))) / 4;
  const std::map<std::string_view, double> variances = {
      {"uniform", 1.0 / 3}, {"rademacher", 1}, {"truncated-gaussian", truncated}, {"none", 0}};
  for (const CatalogueEntry& entry : noise_catalogue()) {
    const Noise noise = make_noise(entry.name, 1);
    if (std::isinf(noise.largest())) {
      continue;  // the variance of its squares may be infinite; its distribution function is tested
                 // below
    }
    ASSERT_TRUE(variances.contains(entry.name)) << "add the variance of " << entry.name;
    double square = 0;
    for (std::uint64_t round = 0; round < kDraws; ++round) {
      square += std::pow(noise.draw(stream, round, 0), 2) / kDraws;
    }
    // Squares are in [0, 1], so their standard deviation is at most 1/2; the tolerance is five
    // standard errors.
    EXPECT_NEAR(square, variances.at(entry.name), 2.5 / std::sqrt(1.0 * kDraws)) << entry.name;
  }
}

TEST(Noise, SaysWhetherItIsBounded) {
  for (const char* bounded : {"uniform", "rademacher", "truncated-gaussian"}) {
    EXPECT_EQ(make_noise(bounded, 2).largest(), 2) << bounded;
  }
  EXPECT_EQ(make_noise("none", 2).largest(), 0);
  for (const char* unbounded : {"gaussian", "student"}) {
    EXPECT_TRUE(std::isinf(make_noise(unbounded, 2).largest())) << unbounded;
    EXPECT_EQ(make_noise(unbounded, 0).largest(), 0) << unbounded;
  }
}

// The distribution function at some points. With 100,000 draws the standard error is at most
// 0.0016, and the tolerance is five of them.
TEST(Noise, UnboundedLawsHaveTheirDistributionFunction) {
  constexpr int kDraws = 100'000;
  const Stream stream(3, Purpose::noise);
  const auto gaussian = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  const auto student = [](double x) {  // t with 3 degrees of freedom
    const double u = x / std::sqrt(3.0);
    return 0.5 + (u / (1 + u * u) + std::atan(u)) / M_PI;
  };
  for (const double scale : {0.5, 2.0}) {
    for (const double x : {-4.0, -1.0, 0.0, 0.5, 2.0, 4.0}) {
      double below_gaussian = 0;
      double below_student = 0;
      for (std::uint64_t round = 0; round < kDraws; ++round) {
        const auto is_below = [&](const Noise& noise) {
          return noise.draw(stream, round, 1) <= scale * x;
        };
        below_gaussian += is_below({NoiseLaw::gaussian, scale}) ? 1.0 / kDraws : 0;
        below_student += is_below({NoiseLaw::student, scale}) ? 1.0 / kDraws : 0;
      }
      EXPECT_NEAR(below_gaussian, gaussian(x), 0.008);
      EXPECT_NEAR(below_student, student(x), 0.008);
    }
  }
}

TEST(Noise, RefusesUnknownLawsAndInvalidBounds) {
  EXPECT_THROW(make_noise("cauchy", 1), Error);
  EXPECT_THROW(make_noise("uniform", -1), Error);
  EXPECT_THROW(make_noise("uniform", NAN), Error);
}

TEST(Reveal, ShowsEveryArmOfPositiveWeight) {
  const Graph graph = Graph::dense(3, {1, 0.25, 0, 0, 1, 0, 0, 0, 1});
  const std::vector<double> losses = {0.5, 1, 0.25};
  const Stream stream(1, Purpose::noise);
  const Noise noise = make_noise("uniform", 2);
  std::vector<Observation> seen;
  reveal(graph, 0, losses, noise, stream, 9, seen);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].value, 0.5);  // exact, because an observation of weight 1 has no noise
  EXPECT_EQ(seen[1].value, 0.25 * 1 + 0.75 * noise.draw(stream, 9, 1));
}

// On a dense graph the random numbers are drawn in blocks, on a sparse one singly.
TEST(Reveal, ShowsTheSameOnDenseAndSparseGraphs) {
  constexpr std::size_t kArms = 131;
  const Stream stream(2, Purpose::test);
  std::vector<double> losses(kArms);
  stream.fill_uniform(1, losses);
  std::vector<double> weights(kArms * kArms);
  std::vector<Arc> arcs;
  stream.fill_uniform(2, weights);
  for (Arm i = 0; i < kArms; ++i) {
    for (Arm j = 0; j < kArms; ++j) {
      double& weight = weights[i * kArms + j];
      weight = i == j || weight > 0.9 ? 1 : weight < 0.2 ? 0 : weight;
      if (weight > 0) {
        arcs.push_back({i, j, weight});
      }
    }
  }
  const Graph dense = Graph::dense(kArms, weights);
  const Graph sparse = Graph::sparse(kArms, arcs);
  for (const CatalogueEntry& law : noise_catalogue()) {
    const Noise noise = make_noise(law.name, 0.5);
    for (Arm played = 0; played < kArms; ++played) {
      std::vector<Observation> on_dense;
      std::vector<Observation> on_sparse;
      reveal(dense, played, losses, noise, stream, 3, on_dense);
      reveal(sparse, played, losses, noise, stream, 3, on_sparse);
      ASSERT_TRUE(std::ranges::equal(on_dense, on_sparse, [](const auto& a, const auto& b) {
        return a.arm == b.arm && a.value == b.value;
      })) << law.name;
    }
  }
}

}  // namespace
}  // namespace hearsay
