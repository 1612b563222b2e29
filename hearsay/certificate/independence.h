#pragma once

// How much the arms of an observation graph tell about each other.
//
// alpha(eps), the independence number at a threshold, is the size of the largest set of arms no two
// of which have a weight of at least eps in either direction. The effective independence number is
//
//     alpha* = min over eps in (0, self weight] of alpha(eps) / eps^2
//
// Both are found exactly or as a proved interval; lower <= value <= upper always holds. The results
// carry what is needed to check both bounds (independence_check.h). A run that is not stopped gives
// the same fields for any number of threads, including the witness.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hearsay/certificate/cover.h"
#include "hearsay/certificate/effort.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

// A set of pairwise independent arms at `threshold`, and what is proved about the largest.
struct IndependenceNumber {
  double threshold = 1;
  std::size_t lower = 1;
  std::size_t upper = 1;
  std::vector<Arm> witness = {};  // increasing, `lower` of them
  Cover cover = {};               // shows `upper`; arms in no group count one each

  bool exact() const { return lower == upper; }
};

// alpha(threshold), threshold > 0. It works until the value is exact or effort.stop says so.
// `progress` is called whenever the interval has become smaller, by the calling thread.
IndependenceNumber independence_number(
    const Graph& graph, double threshold, const Effort& effort = {},
    const std::function<void(std::size_t lower, std::size_t upper)>& progress = {});

// What an independence number k at a threshold costs: increasing in k, not increasing in the
// threshold. The effective independence number is the least cost over the thresholds.
using Cost = std::function<double(std::size_t independence_number, double threshold)>;

// k / eps^2: alpha*.
double inverse_square_cost(std::size_t independence_number, double threshold);

// k (1 + R^2 ((1 - eps) / eps)^2): alpha^R, which takes the place of alpha* for the
// inverse-variance learner (ivx) under noise of at most R.
Cost noise_cost(double noise_bound);

// One of a sequence of independent sets that shows a lower bound: the set before it without
// `removed` and with `added`. The first starts from the empty set. No weight between its arms is
// larger than `largest_weight`, so it is independent at every threshold above.
struct ChainLink {
  double largest_weight = 0;
  std::vector<Arm> removed;
  std::vector<Arm> added;
};

struct EffectiveIndependence {
  double lower = 0;
  double upper = 0;  // where exact: the value
  bool exact = false;
  double threshold = 1;                 // upper = cost(independence_upper, threshold)
  std::size_t independence_number = 1;  // the size of the witness
  std::size_t independence_upper = 1;   // no independent set at the threshold is larger
  std::vector<Arm> witness = {};        // increasing; independent at the threshold
  std::vector<ChainLink> chain = {};    // shows `lower`, by increasing weight and size
  Cover cover = {};          // shows `independence_upper`; arms in no group count one each
  std::uint64_t solves = 0;  // decisions by proof whether a larger set exists
};

struct IndependenceOptions {
  Effort effort = {};
  Cost cost = inverse_square_cost;

  // Called whenever the interval has become smaller, by the calling thread.
  std::function<void(double lower, double upper)> progress = {};
};

// Where several thresholds attain the minimum, the one reported has the smallest independence
// number, and is the largest that has it. Throws Error if the cost of all arms at the self weight
// is not finite: the noise bound is too large for that.
EffectiveIndependence effective_independence(const Graph& graph,
                                             const IndependenceOptions& options = {});

// The same for several costs at once, in the same order. What is found for one serves all, and the
// work is divided between those that are not exact yet.
std::vector<EffectiveIndependence> effective_independence(
    const Graph& graph, std::span<const Cost> costs, const Effort& effort,
    const std::function<void(std::size_t cost, double lower, double upper)>& progress = {});

}  // namespace hearsay
