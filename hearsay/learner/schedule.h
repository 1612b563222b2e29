#pragma once

// The rule for a learner's rate (eta) and implicit exploration (gamma), which is added to the
// divisors of its estimates. A schedule has no state, as everything it depends on is in
// RoundTotals, so many runs can share one. Adaptive rates are
//
//   rate = sqrt(log(arms) / budget),
//
// with a budget that grows with the rounds or with the cost of each round; or each round adds to
// 1 / rate a number that depends on its mixability gap or its entropy.

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>

#include "hearsay/certificate/regret_account.h"
#include "hearsay/graph/graph.h"
#include "hearsay/learner/spec.h"

namespace hearsay {

// Throws Error, because a rate must be finite and at least 0.
[[noreturn]] void refuse_rate(double rate);

struct Schedule {
  std::optional<double> fixed_rate;                         // nullopt if the rate is adaptive
  std::function<double(const RoundTotals&)> adaptive_rate;  // of the next round
  std::optional<double> fixed_exploration;                  // nullopt: exploration_per_rate * rate
  double exploration_per_rate = 0;

  // Whether adaptive_rate reads RoundTotals::gaps, which is nullopt otherwise.
  bool uses_gaps = false;

  // What a round adds to 1 / rate (RoundTotals::growth); `before` does not include the round. Empty
  // if the rate does not depend on it.
  std::function<double(const RegretRound& round, const RoundTotals& before)> growth;

  // Whether adaptive_rate reads RoundTotals::delays, which is nullopt otherwise, so that every draw
  // may have another rate.
  bool uses_delays = false;

  // The cost of a unit of Q in a round with this graph. Empty if the rate does not depend on costs.
  std::function<double(const Graph&)> price;

  // Throws Error unless adaptive_rate returns a finite number of at least 0. The learner must then
  // be discarded.
  double rate(const RoundTotals& totals) const {
    const double rate = fixed_rate ? *fixed_rate : adaptive_rate(totals);
    if (!(rate >= 0 && rate <= std::numeric_limits<double>::max())) {
      refuse_rate(rate);
    }
    return rate;
  }
  double exploration(double rate) const {
    return fixed_exploration ? *fixed_exploration : exploration_per_rate * rate;
  }
  RoundNeeds needs() const {
    const bool has_growth = static_cast<bool>(growth);
    return {.entropy = has_growth, .gap = uses_gaps, .growth = has_growth, .delays = uses_delays};
  }
  double price_of(const Graph& graph) const { return price ? price(graph) : 0; }
};

namespace schedules {

// sqrt(second_moments / entropy), the initial 1 / rate of adaptive rates. It is infinite for a
// single arm, whose entropy is 0, so its rate is 0.
double first_inverse_rate(double second_moments, double entropy);

Schedule fixed(double rate);

// budget = budget_per_round * (rounds of feedback + 1)
Schedule by_round(std::size_t arms, double budget_per_round);

// budget = 2 * (arms * highest price + sum of price * Q). The highest price is taken to be at least
// `least_price`.
Schedule by_cost(std::size_t arms, std::function<double(const Graph&)> price, double least_price,
                 double exploration_per_rate);

// The same with one price for all graphs.
Schedule by_cost(std::size_t arms, double price, double exploration_per_rate);

// rate = min(largest_rate, sqrt(entropy / (2 * constant * (first + sum of Q)))), for a learner
// whose theorem charges constant * rate * Q in a round.
struct BySecondMoment {
  double entropy = 0;  // the largest entropy of the learner's regularizer
  double constant = 0;
  double first = 0;
  double largest_rate = std::numeric_limits<double>::infinity();
  DelayRate delay_rate = DelayRate::none;
};
// With a delay rate, each outstanding decision is expected to cost as much as the mean of the
// others. In addition, `drift` counts the cost of lateness so far and its expected future cost, and
// `count` the number of outstanding decisions at every draw (docs/learners.md, "Rates under
// delay"). If no feedback is late, `none`, `drift` and `count` give the same rates. The rate never
// rises.
Schedule by_second_moment(const BySecondMoment& constants);

// For fixed share: as by_second_moment, with entropy = log(arms) + switches * log(arms * (t + 1))
// in round t. The rate never rises.
Schedule by_switches(std::size_t arms, double switches, const BySecondMoment& constants);

// 1 / rate = least_inverse_rate + (sum of the mixability gaps) / log(arms), and the rate is 0 for a
// single arm (AdaHedge: de Rooij, van Erven, Grunwald, Koolen, JMLR 2014). With the delay rate
// `drift`, the drift of late rounds counts as part of the gaps. With `count`, the rate is also at
// most sqrt(log(arms) / (2 * sum of the numbers of outstanding decisions at all draws)).
Schedule by_gaps(std::size_t arms, double least_inverse_rate,
                 DelayRate delay_rate = DelayRate::none);

// rate = first / sqrt(rounds of feedback + 1), and the rate is 0 for a single arm.
Schedule by_square_root(std::size_t arms, double first);

// Rates for both stochastic and adversarial losses: 1 / rate begins at `least_inverse_rate`, and a
// round adds more to it when the probabilities have a small entropy. `constant` is as in
// BySecondMoment. The rate is 0 for a single arm.
struct ByEntropy {
  std::size_t arms = 0;
  double constant = 0;
  double least_inverse_rate = 0;
};

// Round t adds sqrt(constant * (mean of Q so far) / (log(arms) + sum of the entropies so far))
// (after Ito, Tsuchiya, Honda, NeurIPS 2022).
Schedule by_entropy_sum(const ByEntropy& constants);

// A round adds constant * rate * Q / max(entropy, log(arms) / 1000): multiplied by the entropy,
// which is the penalty in the bound, this equals the cost of the round, constant * rate * Q (after
// Ito, Tsuchiya, Honda, COLT 2024).
Schedule by_matching(const ByEntropy& constants);

}  // namespace schedules

}  // namespace hearsay
