// One round of exp3-wix on a dense graph that stays, through the library and by hand, turn and turn
// about in one run: this machine is never quiet, the ratio of neighbours is.
//
//   build/bench/bin/bench_round

#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/core.h>

#include "benchmarks/plain_loop.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/random/stream.h"

namespace {

using hearsay::Arm;
using hearsay::Graph;
using hearsay::Observation;

// What both are shown: losses fixed beforehand, so that no time goes into making them.
struct Scene {
  Graph graph;
  std::size_t rounds_of_losses = 64;
  std::vector<double> losses;

  explicit Scene(std::size_t arms)
      : graph(hearsay::make_uniform({.arms = arms}, hearsay::Stream(1, hearsay::Purpose::graph))),
        losses(rounds_of_losses * arms) {
    hearsay::Stream(1, hearsay::Purpose::losses).fill_uniform(1, losses);
  }
  const double* of(std::size_t round) const {
    return losses.data() + (round % rounds_of_losses) * graph.arms();
  }
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double by_library(const Scene& scene, std::size_t rounds) {
  const std::size_t n = scene.graph.arms();
  const auto values = scene.graph.weights().values();
  const auto learner = hearsay::make_learner({.name = "exp3-wix", .arms = n});
  const hearsay::Stream stream(1, hearsay::Purpose::draw);
  std::vector<Observation> seen(n);
  const auto start = Clock::now();
  for (std::size_t t = 0; t < rounds; ++t) {
    const hearsay::Decision decision = learner->choose(stream);
    const double* c = scene.of(t);
    const double* weight = values.data() + decision.arm * n;
    for (Arm i = 0; i < n; ++i) {
      seen[i] = {i, weight[i] * c[i]};
    }
    learner->observe(decision, scene.graph, {decision.arm, seen});
  }
  return seconds_since(start);
}

double by_hand(const Scene& scene, std::size_t rounds) {
  const std::size_t n = scene.graph.arms();
  const auto values = scene.graph.weights().values();
  hearsay::benchmarks::PlainWix learner(n, {values.begin(), values.end()});
  const hearsay::Stream stream(1, hearsay::Purpose::draw);
  std::vector<double> seen(n);
  const auto start = Clock::now();
  for (std::size_t t = 0; t < rounds; ++t) {
    const std::size_t arm = learner.draw(stream.uniform(t + 1));
    const double* c = scene.of(t);
    const double* weight = values.data() + arm * n;
    for (std::size_t i = 0; i < n; ++i) {
      seen[i] = weight[i] * c[i];
    }
    learner.tell(arm, seen.data());
  }
  return seconds_since(start);
}

}  // namespace

int main() {
  fmt::print("{:>6} {:>14} {:>14} {:>8} {:>16}\n", "arms", "library", "by hand", "ratio",
             "(spread)");
  for (const std::size_t arms : {25UL, 1000UL}) {
    const Scene scene(arms);
    const std::size_t rounds = arms == 25 ? 200'000 : 500;
    std::vector<double> ratios;
    double library = 0;
    double hand = 0;
    for (int repeat = 0; repeat < 15; ++repeat) {
      const double one = by_library(scene, rounds);
      const double other = by_hand(scene, rounds);
      ratios.push_back(one / other);
      library += one;
      hand += other;
    }
    std::ranges::sort(ratios);
    const double per_round = 1e9 / (15.0 * static_cast<double>(rounds));
    fmt::print("{:>6} {:>11.0f} ns {:>11.0f} ns {:>8.2f}   ({:.2f} to {:.2f})\n", arms,
               library * per_round, hand * per_round, ratios[7], ratios[2], ratios[12]);
  }
}
