// Plays many rounds of exp3-wix on four arms and checks after each tenth of them that the
// probabilities still sum to 1 within 1e-12. If not, the exit code is 1.
//
//   build/bench/bin/bench_endurance [ROUNDS] [RATE]      (defaults: 10^9, adaptive)

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"

int main(int argc, char** argv) {
  const std::uint64_t rounds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000'000;
  hearsay::LearnerSpec spec{.name = "exp3-wix", .arms = 4};
  if (argc > 2) {
    spec.rate = std::strtod(argv[2], nullptr);
  }
  const auto learner = hearsay::make_learner(spec);
  const hearsay::Graph graph = hearsay::make_grid({.side = 2, .spacing = 3});
  const hearsay::Stream draws(1, hearsay::Purpose::draw);
  const hearsay::Stream losses(1, hearsay::Purpose::losses);
  std::vector<double> loss(spec.arms);
  std::vector<hearsay::Observation> seen(spec.arms);
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t t = 1; t <= rounds; ++t) {
    const hearsay::Decision decision = learner->choose(draws);
    losses.fill_uniform(t, loss);
    for (hearsay::Arm i = 0; i < spec.arms; ++i) {
      seen[i] = {i, graph.weight(decision.arm, i) * loss[i]};
    }
    learner->observe(decision, graph, {decision.arm, seen});
    if (10 * t / rounds > 10 * (t - 1) / rounds) {
      const auto p = probabilities_of(*learner);
      const long double sum = std::accumulate(p.begin(), p.end(), 0.0L);
      const auto error = static_cast<double>(std::abs(sum - 1));
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      fmt::print("{:>12} rounds {:>7.1f} s   p {}   |sum - 1| {:.1e}   rate {:.3e}\n", t,
                 taken.count(), fmt::join(p, " "), error, last_round_of(*learner)->rate);
      if (!(error <= 1e-12)) {
        return 1;
      }
    }
  }
}
