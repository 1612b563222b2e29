// Times a round of exp3-wix on a fixed dense graph, with the library and written by hand. The two
// are timed alternately and in CPU time, because on a busy machine the ratio of neighbouring
// timings varies less than the timings.
//
//   build/bench/bin/bench_round

#include <algorithm>
#include <ctime>
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

// The graph and the losses for both. The losses are made beforehand, so they take no time.
struct Inputs {
  Graph graph;
  std::size_t rounds_of_losses = 64;
  std::vector<double> losses;

  explicit Inputs(std::size_t arms)
      : graph(hearsay::make_uniform({.arms = arms}, hearsay::Stream(1, hearsay::Purpose::graph))),
        losses(rounds_of_losses * arms) {
    hearsay::Stream(1, hearsay::Purpose::losses).fill_uniform(1, losses);
  }
  const double* losses_of(std::size_t round) const {
    return losses.data() + (round % rounds_of_losses) * graph.arms();
  }
};

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double by_library(const Inputs& inputs, std::size_t rounds) {
  const std::size_t n = inputs.graph.arms();
  const auto values = inputs.graph.weights().values();
  const auto learner = hearsay::make_learner({.name = "exp3-wix", .arms = n});
  const hearsay::Stream stream(1, hearsay::Purpose::draw);
  std::vector<Observation> seen(n);
  const std::clock_t start = std::clock();
  for (std::size_t t = 0; t < rounds; ++t) {
    const hearsay::Decision decision = learner->choose(stream);
    const double* loss = inputs.losses_of(t);
    const double* weight = values.data() + decision.arm * n;
    for (Arm i = 0; i < n; ++i) {
      seen[i] = {i, weight[i] * loss[i]};
    }
    learner->observe(decision, inputs.graph, {decision.arm, seen});
  }
  return seconds_since(start);
}

double by_hand(const Inputs& inputs, std::size_t rounds) {
  const std::size_t n = inputs.graph.arms();
  const auto values = inputs.graph.weights().values();
  hearsay::benchmarks::PlainWix learner(n, {values.begin(), values.end()});
  const hearsay::Stream stream(1, hearsay::Purpose::draw);
  std::vector<double> seen(n);
  const std::clock_t start = std::clock();
  for (std::size_t t = 0; t < rounds; ++t) {
    const std::size_t arm = learner.draw(stream.uniform(t + 1));
    const double* loss = inputs.losses_of(t);
    const double* weight = values.data() + arm * n;
    for (std::size_t i = 0; i < n; ++i) {
      seen[i] = weight[i] * loss[i];
    }
    learner.observe(arm, seen.data());
  }
  return seconds_since(start);
}

}  // namespace

int main() {
  fmt::print("{:>6} {:>14} {:>14} {:>8} {:>16}\n", "arms", "library", "by hand", "ratio",
             "(spread)");
  for (const std::size_t arms : {25UL, 1000UL}) {
    const Inputs inputs(arms);
    const std::size_t rounds = arms == 25 ? 200'000 : 500;
    std::vector<double> ratios;
    double library = 0;
    double hand = 0;
    for (int repeat = 0; repeat < 15; ++repeat) {
      const double library_seconds = by_library(inputs, rounds);
      const double hand_seconds = by_hand(inputs, rounds);
      ratios.push_back(library_seconds / hand_seconds);
      library += library_seconds;
      hand += hand_seconds;
    }
    std::ranges::sort(ratios);
    const double per_round = 1e9 / (15.0 * static_cast<double>(rounds));
    fmt::print("{:>6} {:>11.0f} ns {:>11.0f} ns {:>8.2f}   ({:.2f} to {:.2f})\n", arms,
               library * per_round, hand * per_round, ratios[7], ratios[2], ratios[12]);
  }
}
