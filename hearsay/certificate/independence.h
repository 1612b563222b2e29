#pragma once

// What a graph of side observations is worth: how many arms tell nothing about each other.
//
// alpha(eps), the independence number at a threshold, is the size of the largest set of arms no two
// of which have a weight of at least eps in either direction. The effective independence number is
//
//     alpha* = min over eps in (0, self weight] of alpha(eps) / eps^2
//
// Both are found exactly or as an interval that is proved; lower <= value <= upper always holds.
// A run that is not stopped gives the same fields for any number of threads, the witness included.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// A set of pairwise independent arms at `threshold`, and what is proved about the largest.
struct IndependenceNumber {
  double threshold = 1;
  std::size_t lower = 1;
  std::size_t upper = 1;
  std::vector<Arm> witness = {};  // increasing, `lower` of them

  bool exact() const { return lower == upper; }
};

// alpha(threshold), threshold > 0. It ends inexact when effort.stop says so, and for sparse graphs
// too large for a proof.
IndependenceNumber independence_number(const Graph& graph, double threshold,
                                       const Effort& effort = {});

// What an independence number k at a threshold costs: increasing in k, not increasing in the
// threshold. The effective independence number is the least cost over the thresholds.
using Cost = std::function<double(std::size_t independence_number, double threshold)>;

// k / eps^2: alpha*.
double inverse_square_cost(std::size_t independence_number, double threshold);

// k (1 + R^2 ((1 - eps) / eps)^2): alpha^R, what the inverse-variance learner (ivx) pays under
// noise of at most R.
Cost noise_cost(double noise_bound);

struct EffectiveIndependence {
  double lower = 0;
  double upper = 0;  // where exact: the value
  bool exact = false;
  double threshold = 1;                 // upper = cost(independence_number, threshold)
  std::size_t independence_number = 1;  // no set at the threshold is larger
  std::vector<Arm> witness =
      {};                    // increasing; independent at the threshold, of that size where exact
  std::uint64_t solves = 0;  // decision problems settled by proof
};

struct IndependenceOptions {
  Effort effort = {};
  Cost cost = inverse_square_cost;

  // Told whenever the interval has narrowed, by the calling thread.
  std::function<void(double lower, double upper)> progress = {};
};

// Where several thresholds attain the minimum, the one reported has the smallest independence
// number, and is the largest that has it.
EffectiveIndependence effective_independence(const Graph& graph,
                                             const IndependenceOptions& options = {});

}  // namespace hearsay
