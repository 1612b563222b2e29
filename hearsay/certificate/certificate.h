#pragma once

// What theory guarantees for the rounds of feedback that a learner has taken in.

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hearsay {

struct Certificate {
  std::uint64_t rounds = 0;  // of feedback taken in so far
  double q = 0;              // Q of the last of them
  double q_sum = 0;          // of all of them

  // Observations outside the range that their weight and the noise bound allow: a single one shows
  // that a weight or the noise bound is wrong.
  std::uint64_t out_of_range = 0;

  // A bound on the expected regret over these rounds. None for a learner without such a theorem,
  // and none from the first round on in which a condition of the theorem failed: a rate that rose,
  // too little exploration, an observation out of range, or feedback that came after feedback of a
  // later decision.
  std::optional<double> regret_bound = std::nullopt;
};

// Lemma 2 of the paper: the largest Q of a round, given the graph's effective independence number
// (for exp3-ivx: its alpha^R) and a positive exploration.
double largest_q(double effective_independence, std::size_t arms, double exploration);

}  // namespace hearsay
