#pragma once

// What the theory promises for the rounds a learner has been told.

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hearsay {

struct Certificate {
  std::uint64_t rounds = 0;  // told so far
  double q = 0;              // Q of the last of them
  double q_sum = 0;          // of all of them

  // Observations outside what their weight and the noise bound allow: one is enough to show that a
  // weight or the noise bound is wrong.
  std::uint64_t out_of_range = 0;

  // Bounds the expected regret over the rounds told. None for a learner without such a theorem, and
  // none once a condition of the theorem has failed: a rate that rose, too little exploration, an
  // observation out of range, feedback that came after later feedback was taken in.
  std::optional<double> regret_bound;
};

// Lemma 2 of the paper: Q of a round is at most this, given the graph's effective independence
// number (for exp3-ivx: its alpha^R) and a positive exploration.
double largest_q(double effective_independence, std::size_t arms, double exploration);

}  // namespace hearsay
