// Makes small graphs from the fuzzer's bytes and compares the effective independence number,
// alpha^R and every independence number with an enumeration of all sets of arms. The checker, which
// shares no code with the solver, must verify all of them.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fuzzer/FuzzedDataProvider.h>

#include "fuzz/require.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/certificate/independence_check.h"

namespace {

using hearsay::Arm;
using hearsay::Graph;

Graph make_graph(FuzzedDataProvider& bytes) {
  const auto arms = bytes.ConsumeIntegralInRange<std::size_t>(1, 10);
  const double self_weight = bytes.PickValueInArray({1.0, 0.5, 0.25, 0x1p-150});
  const bool few_weights = bytes.ConsumeBool();
  const bool is_dense = bytes.ConsumeBool();
  std::vector<double> weights(arms * arms);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const bool on_diagonal = i % (arms + 1) == 0;
    const double weight = few_weights ? bytes.PickValueInArray({0.0, 0.0, 0.25, 0.5, 1.0, 1e-300})
                                      : bytes.ConsumeProbability<double>();
    weights[i] = on_diagonal ? self_weight : weight;
  }
  if (is_dense) {
    return Graph::dense(arms, std::move(weights));
  }
  std::vector<hearsay::Arc> arcs;
  for (Arm i = 0; i < arms; ++i) {
    for (Arm j = 0; j < arms; ++j) {
      if (weights[i * arms + j] > 0) {
        arcs.push_back({i, j, weights[i * arms + j]});
      }
    }
  }
  return Graph::sparse(arms, std::move(arcs));
}

// least[m] is the smallest diameter of a set of m arms: the largest weight between two of its arms.
std::vector<double> least_diameters(const Graph& graph) {
  std::vector<double> least(graph.arms() + 1, std::numeric_limits<double>::infinity());
  for (std::size_t set = 1; set < (std::size_t{1} << graph.arms()); ++set) {
    double diameter = 0;
    for (Arm i = 0; i < graph.arms(); ++i) {
      for (Arm j = 0; j < graph.arms(); ++j) {
        if (i != j && ((set >> i) & (set >> j) & 1U) != 0) {
          diameter = std::max(diameter, graph.weight(i, j));
        }
      }
    }
    double& known = least[static_cast<std::size_t>(std::popcount(set))];
    known = std::min(known, diameter);
  }
  return least;
}

// Requires that every claim is verified after it was printed to a claims file and parsed again.
void require_verified(const Graph& graph, const hearsay::IndependenceClaims& claims) {
  const hearsay::IndependenceClaims read = hearsay::parse_claims(print_claims(claims, 0));
  for (const hearsay::CheckedClaim& checked : check_claims(graph, read, {})) {
    require(checked.status == hearsay::CheckedClaim::Status::verified);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  FuzzedDataProvider bytes(data, size);
  const unsigned threads = bytes.ConsumeBool() ? 2 : 1;
  const double noise_bound = bytes.PickValueInArray({0.0, 0.5, 1.0, 4.0});
  const Graph graph = make_graph(bytes);

  const std::vector<double> least = least_diameters(graph);
  const auto alpha = [&](double threshold) {
    const auto too_wide = std::find_if(least.begin() + 1, least.end(),
                                       [&](double diameter) { return diameter >= threshold; });
    return static_cast<std::size_t>(too_wide - least.begin()) - 1;
  };
  std::set<double> thresholds = {graph.self_weight()};
  for (const double weight : graph.weights().values()) {
    if (weight > 0 && weight <= graph.self_weight()) {
      thresholds.insert(weight);
    }
  }
  for (const double threshold : thresholds) {
    const hearsay::IndependenceNumber number =
        independence_number(graph, threshold, {.threads = threads});
    require(number.lower == alpha(threshold) && number.upper == number.lower);
    require_verified(graph, {.arms = graph.arms(), .number = number});
  }
  std::vector<hearsay::EffectiveIndependence> results;
  for (const hearsay::Cost& cost :
       {hearsay::Cost(hearsay::inverse_square_cost), hearsay::noise_cost(noise_bound)}) {
    double value = std::numeric_limits<double>::infinity();
    for (const double threshold : thresholds) {
      value = std::min(value, cost(alpha(threshold), threshold));
    }
    const hearsay::EffectiveIndependence result =
        effective_independence(graph, {.effort = {.threads = threads}, .cost = cost});
    require(result.exact && result.upper == value);
    require(alpha(result.threshold) == result.independence_number);
    results.push_back(result);
  }
  hearsay::IndependenceClaims claims{.arms = graph.arms(), .alpha_star = results[0]};
  claims.noise = {.noise_bound = noise_bound, .alpha_r = results[1]};
  require_verified(graph, claims);
  return 0;
}
