// Compares the mean of every bound on the regret with the mean regret against every arm, in random
// small worlds with noise of -R or R: stochastic losses, an adaptive adversary, a change of phase,
// a late winner. The tests do the same in fewer worlds and runs; docs/results.md has the result.
//
//   build/bench/bin/bench_bounds [--worlds N] [--runs N] [--rounds N]

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "hearsay/environment/environment.h"
#include "hearsay/environment/noise.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/run.h"
#include "tests/every_learner.h"
#include "tests/random_source.h"

namespace {

using namespace hearsay;

std::unique_ptr<Losses> losses_of(std::size_t world, std::size_t arms, std::uint64_t rounds,
                                  const Stream& stream) {
  switch (world % 4) {
    case 0:
      return losses::bernoulli({.arms = arms, .gap = 0.3}, stream);
    case 1:
      return losses::adversary({.arms = arms, .strength = 0.5, .memory = 3}, stream);
    case 2:
      return losses::trap({.arms = arms, .turn = rounds / 2}, stream);
    default:
      return losses::trap({.arms = arms, .turn = 4 * rounds / 5}, stream);
  }
}

struct Sums {
  double count = 0;
  double regret = 0;
  double bound = 0;
  double excess = 0;   // regret - bound
  double squares = 0;  // sum of excess^2
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t worlds = 50;
  std::uint64_t runs = 300;
  std::uint64_t rounds = 200;
  CLI::App app("Compares bounds on the regret with the mean regret in random small worlds");
  app.add_option("--worlds", worlds, "random worlds");
  app.add_option("--runs", runs, "runs of each learner in each");
  app.add_option("--rounds", rounds, "rounds of each run");
  CLI11_PARSE(app, argc, argv);
  RandomSource dice(1);
  std::map<std::string, double> largest_ratio;
  std::size_t compared = 0;
  std::size_t violations = 0;
  for (std::size_t world = 0; world < worlds; ++world) {
    const std::size_t n = 2 + dice.below(7);
    const double r = std::vector{0.0, 0.3, 1.0, 3.0}[dice.below(4)];
    const Graph graph = random_graph(dice, n);
    for (LearnerSpec spec : every_learner(n)) {
      spec.noise_bound = r;
      spec.bounds = Bounds::all;
      const auto certified = certificate_of(*make_learner(spec));
      if (!certified || certified->bounds.empty() || spec.name == "hedge") {
        continue;
      }
      std::map<std::pair<std::string, std::size_t>, Sums> sums;  // by bound and arm
      for (std::uint64_t run = 0; run < runs; ++run) {
        const auto environment = make_environment(
            losses_of(world, n, rounds, Stream(world, Purpose::losses, run)), graphs::fixed(graph));
        const auto learner = make_learner(spec);
        Run play(*environment, *learner, {NoiseLaw::rademacher, r},
                 {.seed = world, .repetition = run});
        play.steps(rounds);
        const Certificate certificate = certificate_of(*learner).value();
        for (const RegretBound& bound : certificate.bounds) {
          for (std::size_t arm = 0; arm < n; ++arm) {
            Sums& sum = sums[{bound.name, arm}];
            const double regret = play.loss() - play.arm_losses()[arm];
            const double excess = regret - bound.value.value();
            sum.count += 1;
            sum.regret += regret;
            sum.bound += *bound.value;
            sum.excess += excess;
            sum.squares += excess * excess;
          }
        }
      }
      for (const auto& [key, sum] : sums) {
        const auto& [name, arm] = key;
        const double mean = sum.excess / sum.count;
        const double variance = (sum.squares / sum.count - mean * mean) / (sum.count - 1);
        ++compared;
        // Without noise a bound can equal the regret up to rounding.
        if (mean > 3 * std::sqrt(std::max(variance, 0.0)) + 1e-9) {
          ++violations;
          fmt::print("world {}: {}, {}: regret {:.2f} against arm {} above bound {:.2f}\n", world,
                     described(spec), name, sum.regret / sum.count, arm, sum.bound / sum.count);
        }
        double& ratio = largest_ratio[fmt::format("{}, {}", spec.name, name)];
        if (sum.bound > sum.count) {  // the ratio of two small numbers is meaningless
          ratio = std::max(ratio, sum.regret / sum.bound);
        }
      }
    }
  }
  fmt::print("{} of {} mean bounds are below the mean regret by more than 3 standard errors\n",
             violations, compared);
  fmt::print("| learner, bound | largest regret / bound |\n|---|---|\n");
  for (const auto& [name, ratio] : largest_ratio) {
    fmt::print("| {} | {:.2f} |\n", name, ratio);
  }
}
