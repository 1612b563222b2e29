#pragma once

// Independence numbers: how well the arms of an observation graph show each other.
//
// alpha(eps), the independence number at a threshold, is the size of the largest set of arms no two
// of which have a weight of at least eps in either direction. The effective independence number is
//
//     alpha* = min over eps in (0, self weight] of alpha(eps) / eps^2
//
// Both are found exactly or as a proved interval; lower <= value <= upper always holds. The results
// contain the evidence for both bounds (independence_check.h). If the computation is not stopped,
// all fields, including the witness, are the same for any number of threads.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// Bounds on the size of the largest independent set at `threshold`, with their evidence.
struct IndependenceNumber {
  double threshold = 1;
  std::size_t lower = 1;
  std::size_t upper = 1;
  std::vector<Arm> witness = {};  // an independent set of `lower` arms, increasing
  Cover cover = {};               // proves `upper`; an arm in no group counts 1

  bool exact() const { return lower == upper; }
};

// alpha(threshold), for a threshold > 0. Works until the value is exact or effort.stop returns
// true. `progress` is called on the calling thread whenever the interval has become smaller.
IndependenceNumber independence_number(
    const Graph& graph, double threshold, const Effort& effort = {},
    const std::function<void(std::size_t lower, std::size_t upper)>& progress = {});

// The cost of an independence number k at a threshold: increasing in k, not increasing in the
// threshold. The effective independence number is the least cost over all thresholds.
using Cost = std::function<double(std::size_t independence_number, double threshold)>;

// k / eps^2, the cost of alpha*.
double inverse_square_cost(std::size_t independence_number, double threshold);

// k (1 + R^2 ((1 - eps) / eps)^2), the cost of alpha^R, which replaces alpha* for the
// inverse-variance learner (exp3-ivx) under noise of at most R.
Cost noise_cost(double noise_bound);

// One of a chain of independent sets that proves a lower bound: the previous set of the chain
// without the arms `removed` and with the arms `added`. The set before the first is empty. No
// weight between arms of the set exceeds `largest_weight`, so it is independent at every larger
// threshold.
struct ChainLink {
  double largest_weight = 0;
  std::vector<Arm> removed;
  std::vector<Arm> added;
};

struct EffectiveIndependence {
  double lower = 0;
  double upper = 0;  // the value, if exact
  bool exact = false;
  double threshold = 1;                 // upper = cost(independence_upper, threshold)
  std::size_t independence_number = 1;  // the size of the witness
  std::size_t independence_upper = 1;   // no independent set at the threshold is larger
  std::vector<Arm> witness = {};        // an independent set at the threshold, increasing
  std::vector<ChainLink> chain = {};    // proves `lower`; in increasing weight and size
  Cover cover = {};                     // proves `independence_upper`; an arm in no group counts 1
  std::uint64_t solves = 0;             // how often it was decided whether a larger set exists
};

struct IndependenceOptions {
  Effort effort = {};
  Cost cost = inverse_square_cost;

  // Called on the calling thread whenever the interval has become smaller.
  std::function<void(double lower, double upper)> progress = {};
};

// If several thresholds attain the minimum, the one reported has the smallest independence number,
// and is the largest threshold with that number. Throws Error if the noise bound is so large that
// the cost of all arms at the self weight is not finite.
EffectiveIndependence effective_independence(const Graph& graph,
                                             const IndependenceOptions& options = {});

// The same for several costs at once, in the same order. Sets and bounds found for one cost are
// used for all, and the work is divided among the costs that are not exact yet.
std::vector<EffectiveIndependence> effective_independence(
    const Graph& graph, std::span<const Cost> costs, const Effort& effort,
    const std::function<void(std::size_t cost, double lower, double upper)>& progress = {});

}  // namespace hearsay
