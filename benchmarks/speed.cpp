// How fast, beside what: hearsay's engines, a plain loop, numpy (by its time, given as an argument)
// and what the machine can do at best (OpenBLAS, copying memory). Each line a ratio of neighbours
// in time, the median of several with the spread; one core.
//
//   build/bench/bin/bench_speed [NUMPY_NS_PER_ROUND] [LARGEST_ARMS]      (default 0: none, 10^6)

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "benchmarks/plain_game.h"
#include "hearsay/experiment/lockstep_runs.h"
#include "hearsay/experiment/run.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"

#ifdef HEARSAY_OPENBLAS
#include <cblas.h>
extern "C" void openblas_set_num_threads(int threads);
#endif

namespace {

using hearsay::Arm;
using hearsay::Engine;
using hearsay::Graph;
using hearsay::LearnerSpec;
using hearsay::Purpose;
using hearsay::Stream;

constexpr int kRepeats = 9;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Spread {
  double low;
  double median;
  double high;
};

Spread spread(std::vector<double> values) {
  std::ranges::sort(values);
  return {values[1], values[values.size() / 2], values[values.size() - 2]};
}

// Times of one unit of each of the two, taken in turn.
void compare(const std::string& what, const std::string& beside, double units,
             const std::function<void()>& ours, double other_units,
             const std::function<void()>& other) {
  std::vector<double> times;
  std::vector<double> ratios;
  ours();
  other();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const double one = seconds(ours) / units;
    const double two = seconds(other) / other_units;
    times.push_back(one);
    ratios.push_back(two / one);
  }
  const Spread ratio = spread(ratios);
  fmt::print("| {} | {:.0f} ns | {} | {:.2f} ({:.2f} to {:.2f}) |\n", what,
             1e9 * spread(times).median, beside, ratio.median, ratio.low, ratio.high);
  std::fflush(stdout);
}

void alone(const std::string& what, double rounds, const std::function<void()>& work) {
  std::vector<double> times;
  work();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    times.push_back(seconds(work) / rounds);
  }
  const Spread time = spread(times);
  fmt::print("| {} | {:.0f} ns | rounds a second | {:.3g} million ({:.3g} to {:.3g}) |\n", what,
             1e9 * time.median, 1e-6 / time.median, 1e-6 / time.high, 1e-6 / time.low);
  std::fflush(stdout);
}

std::vector<double> table_of_losses(std::size_t arms, std::size_t rows) {
  std::vector<double> losses(rows * arms);
  Stream(1, Purpose::losses).fill_uniform(1, losses);
  return losses;
}

std::vector<hearsay::Luck> luck(std::size_t runs) {
  std::vector<hearsay::Luck> all(runs);
  for (std::size_t i = 0; i < runs; ++i) {
    all[i].repetition = i;
  }
  return all;
}

// The 5 x 5 grid of the paper, noise and all.
void small_dense(double numpy_ns) {
  const Graph graph = hearsay::make_grid({.side = 5, .spacing = 1});
  const auto weights = graph.weights().values();
  const std::vector<double> all_weights(weights.begin(), weights.end());
  const std::vector<double> losses = table_of_losses(25, 64);
  constexpr std::size_t kRuns = 32;
  constexpr std::size_t kRounds = 4000;
  hearsay::LockstepRuns runs({.name = "exp3-wix", .arms = 25}, {hearsay::NoiseLaw::uniform, 1},
                             luck(kRuns));
  const auto lockstep = [&] {
    for (std::size_t t = 0; t < kRounds; ++t) {
      runs.step({std::span(losses).subspan(t % 64 * 25, 25), graph});
    }
  };
  const auto plain = [&] {
    hearsay::benchmarks::play_plain_game(25, all_weights, losses, kRuns * kRounds / 4, 1);
  };
  compare("exp3-wix, 5 x 5 grid, 32 runs in lockstep, a round of one", "the plain loop",
          kRuns * kRounds, lockstep, kRuns * kRounds / 4.0, plain);
  if (numpy_ns > 0) {
    const double ours = seconds(lockstep) / (kRuns * kRounds);
    fmt::print("| the same | {:.0f} ns | numpy, {:.0f} ns | {:.0f} |\n", 1e9 * ours, numpy_ns,
               numpy_ns / (1e9 * ours));
  }
}

void large_dense() {
  constexpr std::size_t kArms = 1024;
  const Graph graph = hearsay::make_uniform({.arms = kArms}, Stream(1, Purpose::graph));
  const std::vector<double> losses = table_of_losses(kArms, 4);
  const auto row = [&](std::size_t t) { return std::span(losses).subspan(t % 4 * kArms, kArms); };

  const auto learner = hearsay::make_learner({.name = "exp3-wix", .arms = kArms});
  const Stream draws(1, Purpose::draw);
  std::vector<hearsay::Observation> seen(kArms);
  constexpr std::size_t kSingle = 200;
  const auto single = [&] {
    for (std::size_t t = 0; t < kSingle; ++t) {
      const hearsay::Decision decision = learner->choose(draws);
      const auto weight = graph.weights().row(decision.arm);
      const auto loss = row(t);
      for (Arm i = 0; i < kArms; ++i) {
        seen[i] = {i, weight[i] * loss[i]};
      }
      learner->observe(decision, graph, {decision.arm, seen});
    }
  };
#ifdef HEARSAY_OPENBLAS
  constexpr std::size_t kRuns = 64;
  constexpr std::size_t kTogether = 10;
  hearsay::LockstepRuns runs({.name = "exp3-wix", .arms = kArms}, {hearsay::NoiseLaw::none, 0},
                             luck(kRuns));
  const auto lockstep = [&] {
    for (std::size_t t = 0; t < kTogether; ++t) {
      runs.step({row(t), graph});
    }
  };
  openblas_set_num_threads(1);
  const auto values = graph.weights().values();
  std::vector<double> p(kArms * kRuns, 1.0 / kArms);
  std::vector<double> d(kArms * kRuns);
  compare("exp3-wix, dense, 1024 arms, one run", "one dgemv of that size", kSingle, single, kSingle,
          [&] {
            for (std::size_t t = 0; t < kSingle; ++t) {
              cblas_dgemv(CblasRowMajor, CblasTrans, kArms, kArms, 1, values.data(), kArms,
                          p.data(), 1, 0, d.data(), 1);
            }
          });
  compare("the same, 64 runs in lockstep, a round of one", "dgemm alone, a run's share",
          kRuns * kTogether, lockstep, kRuns * kTogether, [&] {
            for (std::size_t t = 0; t < kTogether; ++t) {
              cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kRuns, kArms, kArms, 1,
                          p.data(), kArms, values.data(), kArms, 0, d.data(), kArms);
            }
          });
#endif
  std::vector<double> copy(kArms * kArms);
  compare("exp3-wix, dense, 1024 arms, one run", "copying the matrix once", kSingle, single,
          kSingle, [&] {
            for (std::size_t t = 0; t < kSingle; ++t) {
              std::memcpy(copy.data(), graph.weights().values().data(),
                          copy.size() * sizeof(double));
            }
          });
}

// A learner told its own loss and what its arcs tell, round by round.
class Loop {
 public:
  Loop(const LearnerSpec& spec, Graph graph)
      : learner_(hearsay::make_learner(spec)), graph_(std::move(graph)) {}

  void rounds(std::size_t count) {
    for (std::size_t t = 0; t < count; ++t) {
      const hearsay::Decision decision = learner_->choose(draws_);
      seen_.clear();
      graph_.for_each_seen(decision.arm, [&](Arm arm, double weight) {
        seen_.push_back({arm, weight * (((arm * 0x9e3779b9U) >> 16U) % 2 == 0 ? 1.0 : 0.5)});
      });
      learner_->observe(decision, graph_, {decision.arm, seen_});
    }
  }
  double sum() const {
    const auto p = learner_->probabilities();
    return static_cast<double>(std::accumulate(p.begin(), p.end(), 0.0L) - 1);
  }

 private:
  std::unique_ptr<hearsay::Learner> learner_;
  Graph graph_;
  Stream draws_ = Stream(1, Purpose::draw);
  std::vector<hearsay::Observation> seen_;
};

void bandits() {
  for (const char* name : {"exp3", "exp3-ix"}) {
    for (const std::size_t arms : {25UL, 1000UL}) {
      Loop loop({.name = name, .arms = arms, .rate = 0.001, .engine = Engine::lazy},
                Graph::sparse(arms, {}));
      constexpr std::size_t kRounds = 2'000'000;
      alone(fmt::format("{}, no arcs, static rate, {} arms, lazy", name, arms), kRounds,
            [&] { loop.rounds(kRounds); });
      loop.rounds(100'000'000 - 10 * kRounds);
      fmt::print("|   after 10^8 rounds the probabilities miss 1 by | {:.1e} | | |\n", loop.sum());
    }
  }
}

void large_sparse(std::size_t largest) {
  for (std::size_t arms = 10'000; arms <= largest; arms *= 10) {
    const Graph graph = hearsay::make_erdos_renyi(
        {.arms = arms, .probability = 10.0 / static_cast<double>(arms), .weight = 0.5},
        Stream(1, Purpose::graph));
    Loop lazy({.name = "exp3-wix", .arms = arms, .engine = Engine::lazy}, graph);
    constexpr std::size_t kRounds = 100'000;
    alone(fmt::format("exp3-wix, 10 arcs an arm, {} arms, lazy", arms), kRounds,
          [&] { lazy.rounds(kRounds); });
    if (arms == 1'000'000) {
      Loop exact({.name = "exp3-wix", .arms = arms}, graph);
      compare(
          "the same", "the exact engine", kRounds, [&] { lazy.rounds(kRounds); }, 5,
          [&] { exact.rounds(5); });
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  fmt::print("| what | a round | beside | times |\n|---|---|---|---|\n");
  small_dense(argc > 1 ? std::strtod(argv[1], nullptr) : 0);
  large_dense();
  large_sparse(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000);
  bandits();
}
