#pragma once

// The runs that the benchmarks time.

#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/play/lockstep_runs.h"
#include "hearsay/random/stream.h"

namespace hearsay::benchmarks {

inline std::vector<double> table_of_losses(std::size_t arms, std::size_t rows) {
  std::vector<double> losses(rows * arms);
  Stream(1, Purpose::losses).fill_uniform(1, losses);
  return losses;
}

// One graph, and losses from a table whose rows are repeated.
class TableEnvironment final : public Environment {
 public:
  explicit TableEnvironment(Graph graph)
      : graph_(std::move(graph)), losses_(table_of_losses(graph_.arms(), kRows)) {}

  std::size_t arms() const override { return graph_.arms(); }
  bool is_adaptive() const override { return false; }
  Round next() override {
    const std::size_t row = round_++ % kRows;
    return {std::span(losses_).subspan(row * graph_.arms(), graph_.arms()), graph_};
  }
  void played(Arm /*arm*/) override {}
  std::vector<double> save() const override { return {static_cast<double>(round_)}; }
  void restore(std::span<const double> state) override {
    round_ = static_cast<std::size_t>(state.front());
  }

 private:
  static constexpr std::size_t kRows = 64;

  Graph graph_;
  std::vector<double> losses_;
  std::size_t round_ = 0;
};

// Many runs in lockstep.
class TimedLockstepRuns {
 public:
  TimedLockstepRuns(LearnerSpec spec, const Graph& graph, std::size_t runs, const Noise& noise)
      : runs_(with_arms(std::move(spec), graph.arms()), noise, run_keys(runs),
              std::make_unique<TableEnvironment>(graph)) {}

  void play(std::size_t rounds) {
    for (std::size_t t = 0; t < rounds; ++t) {
      runs_.play_round();
    }
  }

 private:
  static LearnerSpec with_arms(LearnerSpec spec, std::size_t arms) {
    spec.arms = arms;
    return spec;
  }
  static std::vector<RunKey> run_keys(std::size_t runs) {
    std::vector<RunKey> keys(runs);
    for (std::size_t i = 0; i < runs; ++i) {
      keys[i].repetition = i;
    }
    return keys;
  }

  LockstepRuns runs_;
};

// One learner on a fixed graph, with observations without noise. The losses are a hash of the arm,
// so computing them takes almost no time.
class TimedRun {
 public:
  TimedRun(const LearnerSpec& spec, Graph graph)
      : learner_(make_learner(spec)), graph_(std::move(graph)) {}

  void play(std::size_t rounds) {
    for (std::size_t t = 0; t < rounds; ++t) {
      const Decision decision = learner_->choose(draws_);
      seen_.clear();
      graph_.for_each_seen(decision.arm, [&](Arm arm, double weight) {
        seen_.push_back({arm, weight * (((arm * 0x9e3779b9U) >> 16U) % 2 == 0 ? 1.0 : 0.5)});
      });
      learner_->observe(decision, graph_, {decision.arm, seen_});
    }
  }

  // The sum of the probabilities, minus 1.
  double error_of_sum() const {
    const auto p = probabilities_of(*learner_);
    return static_cast<double>(std::accumulate(p.begin(), p.end(), 0.0L) - 1);
  }

 private:
  std::unique_ptr<Learner> learner_;
  Graph graph_;
  Stream draws_ = Stream(1, Purpose::draw);
  std::vector<Observation> seen_;
};

// A random sparse graph with about ten arcs per arm.
inline Graph ten_arcs_per_arm(std::size_t arms, std::size_t threads = 1) {
  return make_erdos_renyi(
      {.arms = arms, .probability = 10.0 / static_cast<double>(arms), .weight = 0.5},
      Stream(1, Purpose::graph), 0, threads);
}

}  // namespace hearsay::benchmarks
