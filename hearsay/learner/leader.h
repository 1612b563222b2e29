#pragma once

// The part of a learner that turns estimates into probabilities.
//
//   RegularizedLeader  follows the regularized leader: the probabilities that minimise
//                      <p, sum of all estimates> + psi(p) / rate, psi a Regularizer
//   FixedShare         exponential weights, of which a share is distributed evenly over all arms
//                      after each round, so that a new best arm is found soon
//                      (Herbster, Warmuth, Machine Learning 1998)

#include <cstddef>
#include <functional>
#include <memory>
#include <span>

#include "hearsay/base/state.h"
#include "hearsay/certificate/regret_account.h"
#include "hearsay/learner/regularizer.h"

namespace hearsay {

class Leader {
 public:
  Leader() = default;
  Leader(const Leader&) = delete;
  Leader& operator=(const Leader&) = delete;
  virtual ~Leader() = default;

  virtual std::size_t arms() const = 0;

  // Whether all numbers stay finite if these estimates are added.
  virtual bool can_add(std::span<const double> estimates) const = 0;

  // `rate` is the rate in use. `totals` includes the round of these estimates.
  virtual void add(std::span<const double> estimates, double rate, const RoundTotals& totals) = 0;

  // Whether the leader has a regularizer, by which probabilities have an entropy. Some schedules
  // and bounds on the regret need it.
  virtual bool has_entropy() const = 0;

  // Writes the probabilities and, unless `entropy` is null, their entropy. It must be null if the
  // leader has none.
  virtual void probabilities(double rate, std::span<double> out, double* entropy) const = 0;

  // Whether the probabilities are proportional to exp(-rate * sum of all estimates).
  virtual bool is_exponential() const { return false; }

  virtual void save(StateWriter& writer) const = 0;
  // Throws Error if the state is damaged; the object must then be discarded.
  virtual void load(StateReader& reader) = 0;
};

std::unique_ptr<Leader> regularized_leader(std::size_t arms,
                                           std::shared_ptr<const Regularizer> regularizer);

// The share that is distributed evenly after a round, in [0, 1]. `totals` includes that round,
// and `z` is the sum of p * exp(-rate * estimate).
using Share = std::function<double(const RoundTotals& totals, double z)>;

// Returns `share`. Throws Error unless it is in [0, 1].
double checked_share(double share);

// The share addend / (addend + z) of Exp3.S, which adds to every weight `addend / arms` times the
// sum of all weights before the round.
Share added_share(double addend);

// After each round v = p * exp(-rate * estimates), scaled to sum to 1, and then
// p = (1 - share) * v + share / arms. Throws Error in a round in which the share is not in [0, 1];
// the learner must then be discarded.
std::unique_ptr<Leader> fixed_share(std::size_t arms, Share share);

}  // namespace hearsay
