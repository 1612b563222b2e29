#pragma once

// Confidence intervals for a mean in [0, 1] from weighted terms, with a guarantee for any number of
// rounds (docs/evaluate.md has the proof). A round gives a value X and a weight W with
//
//   mean of X = loss of the round,  mean of W = 1,  given all rounds before,
// and the interval contains every r for which the sum of X - r W deviates from 0 by no more than
// chance explains. W is 1 for plain estimates; self-normalised estimates divide by the sum of W.

#include <cstdint>

#include "hearsay/base/compensated_sum.h"

namespace hearsay {

struct Interval {
  double low = 0;
  double high = 1;
};

// The sums over the rounds of X, W and their products.
struct TermSums {
  std::uint64_t rounds = 0;
  CompensatedSum values = {};
  CompensatedSum weights = {};
  CompensatedSum squared_values = {};
  CompensatedSum products = {};
  CompensatedSum squared_weights = {};

  void add(double value, double weight) {
    values.add(value);
    weights.add(weight);
    squared_values.add(value * value);
    products.add(value * weight);
    squared_weights.add(weight * weight);
  }

  // The same values with a weight of 1 in each round.
  TermSums with_unit_weights() const;
};

// How far X - r W can lie from 0 in any round: for r in [0, 1] it is in [-below(r), above(r)].
struct TermRange {
  double largest_weight = 0;  // the largest 1 / coverage of a round
  // The largest noise, as a multiple of the level that the observations are weighed by; 0 without
  // noise.
  double noise_ratio = 0;
  bool self_normalised = false;

  double below(double r) const;
  double above(double r) const;
};

// An interval that misses the mean of the losses with probability at most `risk` on each side.
Interval bernstein_interval(const TermSums& sums, const TermRange& range, double risk);

// Hoeffding's interval around the mean of losses in [0, 1]. It misses the mean of their conditional
// expectations, each given the rounds before, with probability at most `risk` on each side.
Interval hoeffding_interval(double mean, std::uint64_t rounds, double risk);

}  // namespace hearsay
