#pragma once

// How fast a learner moves (rate, eta) and how much it holds back its estimates (exploration,
// gamma). Adaptive rates are set by what has been seen,
//
//   rate = sqrt(log(arms) / budget),
//
// with a budget that grows by the round (exp3, hedge) or by what each round's graph cost (the
// rest).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "hearsay/graph/graph.h"
#include "hearsay/learner/sum.h"

namespace hearsay {

// A rule for the two, as a value.
struct Schedule {
  std::optional<double> fixed_rate;         // none: adaptive
  std::optional<double> fixed_exploration;  // none: exploration_per_rate * rate
  double exploration_per_rate = 0;

  // Adaptive, by the round: budget = budget_per_round * (rounds told + 1).
  std::optional<double> budget_per_round;

  // Adaptive, by the cost: budget = 2 * (arms * highest price + sum of price * Q), the price of a
  // round given by its graph. No graph is cheaper than `least_price`.
  std::function<double(const Graph&)> price;
  double least_price = 0;
};

// Where a learner stands on its schedule.
struct Progress {
  std::uint64_t rounds = 0;  // told
  double highest_price = 0;
  CompensatedSum cost;  // sum of price * Q
};

// `log_arms`: log(arms), which the caller has at hand.
double rate(const Schedule& schedule, const Progress& progress, std::size_t arms, double log_arms);

double exploration(const Schedule& schedule, double rate);

}  // namespace hearsay
