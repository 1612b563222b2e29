// Plays a number of rounds of one case. scripts/bench counts the instructions of two calls with
// different numbers of rounds; from their difference follows the cost of a round, which does not
// depend on how busy the machine is.
//
//   bench_instructions CASE ROUNDS       (lockstep: rounds of sixteen runs, otherwise of one)

#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include <fmt/core.h>

#include "benchmarks/timed_runs.h"

namespace {

using namespace hearsay;

void one_run(std::size_t rounds) {
  benchmarks::TimedRun({.name = "exp3-wix", .arms = 25}, make_grid({.side = 5})).play(rounds);
}

void lockstep(std::size_t rounds) {
  benchmarks::TimedLockstepRuns({.name = "exp3-wix"}, make_grid({.side = 5}), 16,
                                {NoiseLaw::uniform, 1})
      .play(rounds);
}

void lazy(std::size_t rounds) {
  benchmarks::TimedRun({.name = "exp3-wix", .arms = 10'000, .engine = Engine::lazy},
                       benchmarks::ten_arcs_per_arm(10'000))
      .play(rounds);
}

void bandit(std::size_t rounds) {
  benchmarks::TimedRun({.name = "exp3", .arms = 25, .rate = 0.001, .engine = Engine::lazy},
                       make_empty({.arms = 25}))
      .play(rounds);
}

const std::map<std::string, std::function<void(std::size_t)>> kCases = {
    {"one-run", one_run}, {"lockstep", lockstep}, {"lazy", lazy}, {"bandit", bandit}};

}  // namespace

int main(int argc, char** argv) {
  const auto found = argc == 3 ? kCases.find(argv[1]) : kCases.end();
  if (found == kCases.end()) {
    fmt::print(stderr, "usage: bench_instructions one-run|lockstep|lazy|bandit ROUNDS\n");
    return 2;
  }
  found->second(std::strtoull(argv[2], nullptr, 10));
}
