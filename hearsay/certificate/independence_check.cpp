#include "hearsay/certificate/independence_check.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/error.h"

namespace hearsay {
namespace {

void check_witness(const Graph& graph, std::span<const Arm> witness, double threshold) {
  if (!(threshold > 0 && threshold <= 1)) {
    throw Error("threshold", fmt::format("{}, expected a number in (0, 1]", threshold));
  }
  if (witness.empty()) {
    throw Error("witness", "no arms, expected at least 1");
  }
  std::vector<bool> member(graph.arms());
  for (const Arm arm : witness) {
    if (arm >= graph.arms()) {
      throw Error("witness", fmt::format("arm {}, expected arms 0 to {}", arm, graph.arms() - 1));
    }
    if (member[arm]) {
      throw Error("witness", fmt::format("arm {} is there twice, expected each arm once", arm));
    }
    member[arm] = true;
  }
  for (const Arm played : witness) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      if (seen != played && member[seen] && weight >= threshold) {
        throw Error("witness",
                    fmt::format("weight({}, {}) is {}, expected less than the threshold {}", played,
                                seen, weight, threshold));
      }
    });
  }
}

}  // namespace

void check_independence(const Graph& graph, const IndependenceNumber& claim) {
  check_witness(graph, claim.witness, claim.threshold);
  if (claim.witness.size() != claim.lower) {
    throw Error("lower", fmt::format("{}, expected {}, the size of the witness", claim.lower,
                                     claim.witness.size()));
  }
  if (claim.upper < claim.lower || claim.upper > graph.arms()) {
    throw Error("upper",
                fmt::format("{}, expected {} to {}", claim.upper, claim.lower, graph.arms()));
  }
}

void check_independence(const Graph& graph, const EffectiveIndependence& claim, const Cost& cost) {
  check_witness(graph, claim.witness, claim.threshold);
  if (claim.threshold > graph.self_weight()) {
    throw Error("threshold", fmt::format("{}, expected at most {}, the self weight",
                                         claim.threshold, graph.self_weight()));
  }
  const std::size_t size = claim.witness.size();
  if (claim.exact ? claim.independence_number != size : claim.independence_number < size) {
    throw Error("independence_number",
                fmt::format("{}, expected {} {}, the size of the witness",
                            claim.independence_number, claim.exact ? "just" : "at least", size));
  }
  const double value = cost(claim.independence_number, claim.threshold);
  if (claim.upper != value) {
    throw Error("upper",
                fmt::format("{}, expected {}, by the independence number and the threshold",
                            claim.upper, value));
  }
  if (claim.exact ? claim.lower != claim.upper
                  : !(claim.lower >= 0 && claim.lower <= claim.upper)) {
    throw Error("lower", fmt::format("{}, expected {} {}", claim.lower,
                                     claim.exact ? "just" : "at most", claim.upper));
  }
}

}  // namespace hearsay
