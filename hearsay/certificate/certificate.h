#pragma once

// What the theory guarantees for the rounds of feedback that a learner has taken in.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hearsay {

// What one theorem guarantees (docs/learners.md has the theorems and their proofs).
struct RegretBound {
  std::string name;        // "paper", "entropic", "realised", "estimated", ...
  std::string statement;   // what the value bounds, in words
  std::string conditions;  // under which the statement holds

  // nullopt from the first round on in which a condition failed.
  std::optional<double> value = std::nullopt;

  // Only for a bound on the regret against every sequence of arms: `value` is the bound for a
  // single arm, and each switch of the sequence to another arm adds this.
  std::optional<double> per_switch = std::nullopt;

  // The first round of feedback in which a condition failed (counted from 1), and which one; 0 if
  // all conditions have held.
  std::uint64_t failed_in_round = 0;
  std::string failure = {};

  bool operator==(const RegretBound&) const = default;
};

struct Certificate {
  std::uint64_t rounds = 0;  // of feedback taken in so far
  double q = 0;              // Q of the last of them
  double q_sum = 0;          // the sum of Q over all of them

  // The number of observations outside the range that their weight and the noise bound allow. A
  // single one shows that a weight or the noise bound is wrong.
  std::uint64_t out_of_range = 0;

  // A bound on the expected regret over these rounds, by the designated theorem, which was chosen
  // before the first round (the smaller of two random bounds would not bound the mean). nullopt for
  // a learner without such a theorem, and from the first round on in which a condition of the
  // theorem failed, such as a rate that rose or an observation out of range; bounds.front() then
  // says which. Decisions that still await feedback are not counted; each adds at most 1 to the
  // regret.
  std::optional<double> regret_bound = std::nullopt;

  // The bounds of all theorems that the learner keeps account of; the designated one, if any, comes
  // first.
  std::vector<RegretBound> bounds = {};
  bool has_designated = false;  // whether there is a designated one, even if its conditions failed
};

// Ends the bounds that have held so far, because a condition failed in this round of feedback.
void end_bounds(Certificate& certificate, std::uint64_t round, std::string_view failure);

// Lemma 2 of the paper: the largest Q of a round, given the graph's effective independence number
// (for exp3-ivx: its alpha^R) and a positive exploration.
double largest_q(double effective_independence, std::size_t arms, double exploration);

}  // namespace hearsay
