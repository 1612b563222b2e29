// Regret and certificate of exp3-ivc under delayed feedback, for each delay rate: the table of
// docs/results.md, "Late feedback".
//
//   build/bench/bin/bench_delays [--runs N]

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "hearsay/environment/environment.h"
#include "hearsay/environment/losses.h"
#include "hearsay/environment/noise.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"

namespace {

using namespace hearsay;

constexpr std::uint64_t kRounds = 5000;

// The number of rounds by which the feedback of a round is late; 0 if it comes at the end of the
// round itself.
using Delay = std::function<std::uint64_t(std::uint64_t round, const Stream& randomness)>;

struct World {
  std::string name;
  Graph graph;
  std::function<std::unique_ptr<Losses>(const Stream&)> losses;
  Delay delay;
};

// Two arms, one with loss 0 and the other with loss 1; they swap every `period` rounds.
class ChangingPlaces final : public Losses {
 public:
  explicit ChangingPlaces(std::uint64_t period) : period_(period) {}
  std::size_t arms() const override { return 2; }
  void next(std::span<double> out) override {
    const bool first = (round_++ + period_ / 2) / period_ % 2 == 0;
    out[0] = first ? 0 : 1;
    out[1] = first ? 1 : 0;
  }
  std::vector<double> save() const override { return {static_cast<double>(round_)}; }
  void restore(std::span<const double> state) override {
    round_ = static_cast<std::uint64_t>(state.front());
  }

 private:
  std::uint64_t period_;
  std::uint64_t round_ = 0;
};

struct Outcome {
  double regret = 0;
  double bound = 0;
};

Outcome play(const World& world, DelayRate rate, std::uint64_t run) {
  struct Pending {
    Decision decision;
    std::vector<Observation> seen;
    std::uint64_t due;
  };
  const auto losses = world.losses(Stream(1, Purpose::losses, run));
  const auto learner = make_learner({.name = "exp3-ivc",
                                     .arms = world.graph.arms(),
                                     .delay_rate = rate,
                                     .max_outstanding = kRounds});
  const Stream draws(1, Purpose::draw, run);
  const Stream noise_stream(1, Purpose::noise, run);
  const Stream delays(1, Purpose::test, run);
  const Noise noise = make_noise("uniform", 1.0);
  std::deque<Pending> pending;
  std::vector<double> now(world.graph.arms());
  std::vector<double> totals(world.graph.arms());
  double suffered = 0;
  for (std::uint64_t t = 1; t <= kRounds; ++t) {
    losses->next(now);
    const Decision decision = learner->choose(draws);
    suffered += now[decision.arm];
    std::ranges::transform(totals, now, totals.begin(), std::plus<>());
    Pending made{decision, {}, t + world.delay(t, delays)};
    reveal(world.graph, decision.arm, now, noise, noise_stream, t, made.seen);
    pending.push_back(std::move(made));
    for (std::size_t k = 0; k < pending.size();) {
      if (pending[k].due > t) {
        ++k;
        continue;
      }
      learner->observe(pending[k].decision, world.graph,
                       {pending[k].decision.arm, pending[k].seen});
      pending.erase(pending.begin() + static_cast<std::ptrdiff_t>(k));
    }
  }
  // Rounds without feedback count 1 each.
  return {suffered - std::ranges::min(totals),
          certificate_of(*learner)->regret_bound.value() + static_cast<double>(pending.size())};
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 10;
  CLI::App app("Regret and certificate under delayed feedback");
  app.add_option("--runs", runs, "loss sequences");
  CLI11_PARSE(app, argc, argv);
  const auto walks = [](const Stream& stream) { return losses::walks({.arms = 25}, stream); };
  const auto bernoulli = [](const Stream& stream) {
    return losses::bernoulli({.arms = 10, .gap = 0.1}, stream);
  };
  const auto fixed = [](std::uint64_t delay) {
    return [delay](std::uint64_t, const Stream&) { return delay; };
  };
  const auto geometric = [](std::uint64_t round, const Stream& stream) {
    return static_cast<std::uint64_t>(std::log(1 - stream.uniform(round)) /
                                      std::log(1 - 1 / 101.0));
  };
  const auto blocks = [](std::uint64_t round, const Stream&) {
    return (1000 - round % 1000) % 1000;
  };
  const Graph seed = make_grid({.side = 5});
  const Graph grid = make_grid(
      {.side = 5, .rows = 2, .weight = {.law = DistanceWeight::Law::inverse_one_plus_square}});
  const std::vector<World> worlds = {
      {"paper, delay 50", seed, walks, fixed(50)},
      {"paper, geometric, mean 100", seed, walks, geometric},
      {"paper, delay 500", seed, walks, fixed(500)},
      {"paper, blocks of 1000", seed, walks, blocks},
      {"grid, delay 50", grid, bernoulli, fixed(50)},
      {"two arms that change places every 200 rounds, delay 100", make_complete({.arms = 2}),
       [](const Stream&) { return std::make_unique<ChangingPlaces>(200); }, fixed(100)},
  };
  fmt::print("| world | none: regret / certificate | drift | count |\n|---|---|---|---|\n");
  for (const World& world : worlds) {
    std::string line = fmt::format("| {} ", world.name);
    for (const DelayRate rate : {DelayRate::none, DelayRate::drift, DelayRate::count}) {
      Outcome sum;
      for (std::uint64_t run = 0; run < runs; ++run) {
        const Outcome outcome = play(world, rate, run);
        sum.regret += outcome.regret / static_cast<double>(runs);
        sum.bound += outcome.bound / static_cast<double>(runs);
      }
      line += fmt::format("| {:.0f} / {:.0f} ", sum.regret, sum.bound);
    }
    fmt::print("{}|\n", line);
    std::fflush(stdout);
  }
}
