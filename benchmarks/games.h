#pragma once

// What the benchmarks play.

#include <cstddef>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "hearsay/experiment/lockstep_runs.h"
#include "hearsay/graph/families.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/random/stream.h"

namespace hearsay::benchmarks {

inline std::vector<double> table_of_losses(std::size_t arms, std::size_t rows) {
  std::vector<double> losses(rows * arms);
  Stream(1, Purpose::losses).fill_uniform(1, losses);
  return losses;
}

// Runs in lockstep on a graph that stays; losses from a table.
class LockstepGame {
 public:
  LockstepGame(Graph graph, std::size_t runs, const Noise& noise)
      : graph_(std::move(graph)),
        losses_(table_of_losses(graph_.arms(), kRows)),
        runs_({.name = "exp3-wix", .arms = graph_.arms()}, noise, all_lucks(runs)) {}

  void play(std::size_t rounds) {
    for (std::size_t t = 0; t < rounds; ++t) {
      runs_.step({std::span(losses_).subspan(t % kRows * graph_.arms(), graph_.arms()), graph_});
    }
  }

 private:
  static constexpr std::size_t kRows = 64;

  static std::vector<Luck> all_lucks(std::size_t runs) {
    std::vector<Luck> all(runs);
    for (std::size_t i = 0; i < runs; ++i) {
      all[i].repetition = i;
    }
    return all;
  }

  Graph graph_;
  std::vector<double> losses_;
  LockstepRuns runs_;
};

// One learner, told its own loss and what its arcs tell, round by round. Losses cost next to
// nothing to make.
class LearnerGame {
 public:
  LearnerGame(const LearnerSpec& spec, Graph graph)
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

  // By how much the probabilities miss 1.
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

// About ten arcs an arm.
inline Graph ten_arcs_an_arm(std::size_t arms, std::size_t threads = 1) {
  return make_erdos_renyi(
      {.arms = arms, .probability = 10.0 / static_cast<double>(arms), .weight = 0.5},
      Stream(1, Purpose::graph), 0, threads);
}

}  // namespace hearsay::benchmarks
