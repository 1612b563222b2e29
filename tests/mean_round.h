#pragma once

// The exact mean of one round of a learner, over every arm that may be drawn and every outcome of a
// noise that is -R or R for each arm.

#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hearsay/base/compensated_sum.h"
#include "hearsay/learner/catalogue.h"
#include "hearsay/learner/learner.h"
#include "hearsay/learner/regularizer.h"
#include "tests/plain_rounds.h"

namespace hearsay {

// Calls visit(learner after the round, probability) for every outcome of a round of the learner
// that has this state.
template <class Visit>
void for_each_outcome(const std::string& state, const Graph& graph,
                      const std::vector<double>& losses, double noise_bound, Visit&& visit) {
  const std::size_t n = graph.arms();
  const auto rows = rows_of(graph);
  const auto before = restore_learner(state);
  const std::span<const double> p = probabilities_of(*before);
  for (Arm played = 0; played < n; ++played) {
    for (unsigned signs = 0; p[played] > 0 && signs < 1U << n; ++signs) {
      std::vector<double> c(n);
      for (std::size_t i = 0; i < n; ++i) {
        const double noise = (signs >> i & 1U) != 0 ? noise_bound : -noise_bound;
        c[i] = rows[played][i] * losses[i] + (1 - rows[played][i]) * noise;
      }
      const auto learner = restore_learner(state);
      learner->observe(learner->adopt(played), graph, {played, seen_of(c, rows[played])});
      visit(std::as_const(*learner), p[played] / (1U << n));
    }
  }
}

// min over p of <p, sums> - entropy / rate. An order of 1 is the Shannon entropy.
inline double potential(double order, const std::vector<double>& sums, double rate) {
  const auto regularizer = order < 1 ? regularizers::tsallis(order) : regularizers::shannon();
  CompensatedSums compensated(sums.size());
  compensated.add(sums);
  std::vector<double> p(sums.size());
  double entropy = 0;
  regularizer->probabilities(compensated, rate, p, &entropy);
  return std::inner_product(p.begin(), p.end(), sums.begin(), 0.0) - entropy / rate;
}

}  // namespace hearsay
