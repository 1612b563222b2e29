#pragma once

// What theory guarantees for the rounds of feedback that a learner has taken in.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hearsay {

// What one theorem guarantees (docs/learners.md has the theorems and their proofs).
struct RegretBound {
  std::string name;        // "paper", "entropic", "realised", "estimated", ...
  std::string statement;   // what the value bounds, in words
  std::string conditions;  // under which it does

  // None from the first round on in which a condition failed.
  std::optional<double> value = std::nullopt;

  // Of a bound on the regret against every sequence of arms: `value` is for a single arm, and each
  // switch of the sequence to another arm adds this.
  std::optional<double> per_switch = std::nullopt;

  // That round of feedback (the first is 1), and what failed in it. 0: the conditions have held.
  std::uint64_t failed_in_round = 0;
  std::string failure = {};

  bool operator==(const RegretBound&) const = default;
};

struct Certificate {
  std::uint64_t rounds = 0;  // of feedback taken in so far
  double q = 0;              // Q of the last of them
  double q_sum = 0;          // of all of them

  // Observations outside the range that their weight and the noise bound allow: a single one shows
  // that a weight or the noise bound is wrong.
  std::uint64_t out_of_range = 0;

  // A bound on the expected regret over these rounds, by the one theorem that the learner was given
  // before the first round (the smaller of two random bounds would be no bound of the mean). None
  // for a learner without such a theorem, and none from the first round on in which a condition of
  // the theorem failed: a rate that rose, too little exploration, an observation out of range, or,
  // for learners that are not exponential weights, late feedback. Decisions that still await
  // feedback are not counted: each adds at most 1 to the regret.
  std::optional<double> regret_bound = std::nullopt;

  // By every theorem that was kept account of; that of regret_bound, if there is one, comes first.
  std::vector<RegretBound> bounds = {};
  bool has_designated = false;  // whether there is one, also if its conditions have failed
};

// Lemma 2 of the paper: the largest Q of a round, given the graph's effective independence number
// (for exp3-ivx: its alpha^R) and a positive exploration.
double largest_q(double effective_independence, std::size_t arms, double exploration);

}  // namespace hearsay
