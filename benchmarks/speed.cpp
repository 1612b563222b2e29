// Compares hearsay's engines, on one core, with a plain loop, with numpy and with limits of the
// machine (OpenBLAS, copying memory). The two sides of a comparison are timed alternately; each
// line has the median of several ratios and their range.
//
//   build/bench/bin/bench_speed [--numpy COMMAND] [--largest ARMS]
//
// COMMAND prints the nanoseconds that numpy takes for a round.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "benchmarks/plain_run.h"
#include "benchmarks/timed_runs.h"

#ifdef HEARSAY_OPENBLAS
#include <cblas.h>
extern "C" void openblas_set_num_threads(int threads);
#endif

namespace {

using namespace hearsay;
using benchmarks::ten_arcs_per_arm;
using benchmarks::TimedLockstepRuns;
using benchmarks::TimedRun;

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

// Does some work and returns the seconds per round.
using Timed = std::function<double()>;

void compare(const std::string& what, const std::string& reference, const Timed& ours,
             const Timed& other) {
  std::vector<double> times;
  std::vector<double> ratios;
  ours();
  other();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    times.push_back(ours());
    ratios.push_back(other() / times.back());
  }
  const Spread ratio = spread(ratios);
  fmt::print("| {} | {:.0f} ns | {} | {:.2f} ({:.2f} to {:.2f}) |\n", what,
             1e9 * spread(times).median, reference, ratio.median, ratio.low, ratio.high);
  std::fflush(stdout);
}

Timed timed(double rounds, std::function<void()> work) {
  return [=, work = std::move(work)] { return seconds(work) / rounds; };
}

void print_rounds_per_second(const std::string& what, const Timed& ours) {
  std::vector<double> times;
  ours();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    times.push_back(ours());
  }
  const Spread time = spread(times);
  fmt::print("| {} | {:.0f} ns | rounds per second | {:.3g} million ({:.3g} to {:.3g}) |\n", what,
             1e9 * time.median, 1e-6 / time.median, 1e-6 / time.high, 1e-6 / time.low);
  std::fflush(stdout);
}

// Runs `command`, which prints a number of nanoseconds, and returns it in seconds.
double printed_seconds(const std::string& command) {
  FILE* output = popen(command.c_str(), "r");
  double nanoseconds = 0;
  const bool read = output != nullptr && std::fscanf(output, "%lf", &nanoseconds) == 1;
  if (output == nullptr || pclose(output) != 0 || !read) {
    throw Error(command, "did not print a number, expected nanoseconds");
  }
  return 1e-9 * nanoseconds;
}

// The 5 x 5 grid of the paper, with noise.
void small_dense(const std::string& numpy) {
  const Graph graph = make_grid({.side = 5});
  const auto weights = graph.weights().values();
  const std::vector<double> all_weights(weights.begin(), weights.end());
  const std::vector<double> losses = benchmarks::table_of_losses(25, 64);
  constexpr std::size_t kRuns = 32;
  constexpr std::size_t kRounds = 4000;
  TimedLockstepRuns runs({.name = "exp3-wix"}, graph, kRuns, {NoiseLaw::uniform, 1});
  const Timed lockstep = timed(kRuns * kRounds, [&] { runs.play(kRounds); });
  const Timed plain = timed(kRuns * kRounds / 4.0, [&] {
    benchmarks::play_plain_run(25, all_weights, losses, kRuns * kRounds / 4, 1);
  });
  compare("exp3-wix, 5 x 5 grid, 32 runs in lockstep, per run", "the plain loop", lockstep, plain);
  if (!numpy.empty()) {
    compare("the same", "numpy", lockstep, [&] { return printed_seconds(numpy); });
  }
}

// Compares learners with centred estimates with exp3-ivx on the same grid.
void centred() {
  const Graph graph = make_grid({.side = 5});
  const Noise noise{NoiseLaw::uniform, 1};
  constexpr std::size_t kRuns = 32;
  constexpr std::size_t kRounds = 4000;
  TimedLockstepRuns ivx({.name = "exp3-ivx"}, graph, kRuns, noise);
  const Timed reference = timed(kRuns * kRounds, [&] { ivx.play(kRounds); });
  for (const LearnerSpec& spec :
       {LearnerSpec{.name = "exp3-ivx-clip"}, LearnerSpec{.name = "exp3-ivc"},
        LearnerSpec{.name = "exp3-ivc", .tuning = Tuning::ada}, LearnerSpec{.name = "tsallis-ivx"},
        LearnerSpec{.name = "tsallis-ivc"}}) {
    TimedLockstepRuns runs(spec, graph, kRuns, noise);
    compare(fmt::format("{}{}, 5 x 5 grid, 32 runs in lockstep, per run", spec.name,
                        spec.tuning == Tuning::ada ? " ada" : ""),
            "exp3-ivx", timed(kRuns * kRounds, [&] { runs.play(kRounds); }), reference);
  }
}

void large_dense() {
  constexpr std::size_t kArms = 1024;
  const Graph graph = make_uniform({.arms = kArms}, Stream(1, Purpose::graph));
  const auto values = graph.weights().values();
  constexpr std::size_t kSingle = 200;
  TimedRun one({.name = "exp3-wix", .arms = kArms}, graph);
  const Timed single = timed(kSingle, [&] { one.play(kSingle); });
#ifdef HEARSAY_OPENBLAS
  constexpr std::size_t kRuns = 64;
  constexpr std::size_t kTogether = 10;
  TimedLockstepRuns many({.name = "exp3-wix"}, graph, kRuns, {NoiseLaw::none, 0});
  openblas_set_num_threads(1);
  std::vector<double> p(kArms * kRuns, 1.0 / kArms);
  std::vector<double> d(kArms * kRuns);
  compare("exp3-wix, dense, 1024 arms, one run", "one dgemv of that size", single,
          timed(kSingle, [&] {
            for (std::size_t t = 0; t < kSingle; ++t) {
              cblas_dgemv(CblasRowMajor, CblasTrans, kArms, kArms, 1, values.data(), kArms,
                          p.data(), 1, 0, d.data(), 1);
            }
          }));
  compare("the same, 64 runs in lockstep, per run", "dgemm alone, per run",
          timed(kRuns * kTogether, [&] { many.play(kTogether); }), timed(kRuns * kTogether, [&] {
            for (std::size_t t = 0; t < kTogether; ++t) {
              cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kRuns, kArms, kArms, 1,
                          p.data(), kArms, values.data(), kArms, 0, d.data(), kArms);
            }
          }));
#endif
  std::vector<double> copy(kArms * kArms);
  compare("exp3-wix, dense, 1024 arms, one run", "copying the matrix once", single,
          timed(kSingle, [&] {
            for (std::size_t t = 0; t < kSingle; ++t) {
              std::memcpy(copy.data(), values.data(), copy.size() * sizeof(double));
            }
          }));
}

void bandits() {
  for (const char* name : {"exp3", "exp3-ix"}) {
    for (const std::size_t arms : {25UL, 1000UL}) {
      TimedRun run({.name = name, .arms = arms, .rate = 0.001, .engine = Engine::lazy},
                   Graph::sparse(arms, {}));
      constexpr std::size_t kRounds = 2'000'000;
      print_rounds_per_second(fmt::format("{}, no arcs, static rate, {} arms, lazy", name, arms),
                              timed(kRounds, [&] { run.play(kRounds); }));
      run.play(100'000'000 - (kRepeats + 1) * kRounds);
      fmt::print("|   sum of the probabilities minus 1 after 10^8 rounds | {:.1e} | | |\n",
                 run.error_of_sum());
    }
  }
}

void large_sparse(std::size_t largest) {
  for (std::size_t arms = 10'000; arms <= largest; arms *= 10) {
    const std::size_t threads = std::max(1U, std::thread::hardware_concurrency());
    const auto start = std::chrono::steady_clock::now();
    const Graph graph = ten_arcs_per_arm(arms, threads);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    fmt::print("| making a graph of {} arms and {} arcs on {} threads | {:.2f} s | | |\n", arms,
               graph.arc_count(), threads, taken.count());
    TimedRun lazy({.name = "exp3-wix", .arms = arms, .engine = Engine::lazy}, graph);
    constexpr std::size_t kRounds = 100'000;
    const Timed lazy_round = timed(kRounds, [&] { lazy.play(kRounds); });
    print_rounds_per_second(fmt::format("exp3-wix, 10 arcs per arm, {} arms, lazy", arms),
                            lazy_round);
    if (arms == 1'000'000) {
      TimedRun exact({.name = "exp3-wix", .arms = arms}, graph);
      compare("the same", "the exact engine", lazy_round, timed(5, [&] { exact.play(5); }));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::string numpy;
  std::size_t largest = 1'000'000;
  CLI::App app("Compares the speed of hearsay with other programs");
  app.add_option("--numpy", numpy, "Command that prints numpy's nanoseconds per round");
  app.add_option("--largest", largest, "Arms of the largest sparse graph");
  CLI11_PARSE(app, argc, argv);
  fmt::print("| what | per round | compared with | times faster |\n|---|---|---|---|\n");
  small_dense(numpy);
  centred();
  large_dense();
  large_sparse(largest);
  bandits();
}
