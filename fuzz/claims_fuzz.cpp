// For any bytes as a line of a claims file, the reader throws Error or returns claims that read
// back to the same text after printing. The checker must not verify a claim that an enumeration of
// all sets of arms shows to be false.

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "hearsay/base/error.h"
#include "hearsay/certificate/independence_check.h"
#include "hearsay/graph/families.h"

namespace {

using hearsay::Arm;
using hearsay::Graph;

// A graph of each of these sizes, so that claims about different graphs can be checked. They are
// dense or sparse, and the self weight differs.
constexpr std::size_t kMostArms = 9;

Graph make_graph(std::size_t arms) {
  const hearsay::Stream stream(arms, hearsay::Purpose::graph);
  const double self_weight = arms % 3 == 0 ? 0.5 : 1;
  if (arms % 2 == 0) {
    std::vector<hearsay::Arc> arcs;
    for (Arm i = 0; i < arms; ++i) {
      for (Arm j = 0; j < arms; ++j) {
        if (i == j || stream.uniform(i, j) < 0.3) {
          arcs.push_back({i, j, i == j ? self_weight : (1 + (i * j) % 4) / 4.0});
        }
      }
    }
    return Graph::sparse(arms, std::move(arcs));
  }
  std::vector<double> weights(arms * arms);
  for (Arm i = 0; i < arms; ++i) {
    for (Arm j = 0; j < arms; ++j) {
      weights[i * arms + j] = i == j ? self_weight : stream.uniform(i, j);
    }
  }
  return Graph::dense(arms, std::move(weights));
}

struct Known {
  Graph graph;
  std::vector<double> least;    // the smallest diameter of a set of m arms
  std::set<double> thresholds;  // where alpha can change

  std::size_t alpha(double threshold) const {
    std::size_t size = 1;
    while (size < graph.arms() && least[size + 1] < threshold) {
      ++size;
    }
    return size;
  }

  double effective(const hearsay::Cost& cost) const {
    double value = std::numeric_limits<double>::infinity();
    for (const double threshold : thresholds) {
      value = std::min(value, cost(alpha(threshold), threshold));
    }
    return value;
  }
};

Known make_known(std::size_t arms) {
  Known known{make_graph(arms), {}, {}};
  known.least.assign(arms + 1, std::numeric_limits<double>::infinity());
  for (std::size_t set = 1; set < (std::size_t{1} << arms); ++set) {
    double diameter = 0;
    for (Arm i = 0; i < arms; ++i) {
      for (Arm j = 0; j < arms; ++j) {
        if (i != j && ((set >> i) & (set >> j) & 1U) != 0) {
          diameter = std::max(diameter, known.graph.weight(i, j));
        }
      }
    }
    double& least = known.least[static_cast<std::size_t>(std::popcount(set))];
    least = std::min(least, diameter);
  }
  known.thresholds = {known.graph.self_weight()};
  for (const double weight : known.graph.weights().values()) {
    if (weight > 0 && weight <= known.graph.self_weight()) {
      known.thresholds.insert(weight);
    }
  }
  return known;
}

const Known& known_of(std::size_t arms) {
  static const std::vector<Known> all = [] {
    std::vector<Known> made;
    for (std::size_t n = 1; n <= kMostArms; ++n) {
      made.push_back(make_known(n));
    }
    return made;
  }();
  return all[arms - 1];
}

// Whether the claims are true, in the order in which they are checked.
void add_truth(std::vector<bool>& truth, const Known& known,
               const hearsay::EffectiveIndependence& claim, const hearsay::Cost& cost) {
  const double value = known.effective(cost);
  const std::size_t number = known.alpha(claim.threshold);
  truth.insert(truth.end(), {claim.lower <= value, claim.independence_number <= number,
                             number <= claim.independence_upper, value <= claim.upper});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  try {
    const hearsay::IndependenceClaims claims = hearsay::parse_claims(line);
    const std::string printed = print_claims(claims, 0);
    require(print_claims(hearsay::parse_claims(printed), 0) == printed);
    if (claims.arms > kMostArms) {
      return 0;
    }
    const Known& known = known_of(claims.arms);
    std::vector<bool> truth;
    if (claims.number) {
      const std::size_t number = known.alpha(claims.number->threshold);
      truth = {claims.number->lower <= number, number <= claims.number->upper};
    }
    if (claims.alpha_star) {
      add_truth(truth, known, *claims.alpha_star, hearsay::inverse_square_cost);
    }
    if (claims.noise) {
      add_truth(truth, known, claims.noise->alpha_r,
                hearsay::noise_cost(claims.noise->noise_bound));
    }
    const std::vector<hearsay::CheckedClaim> checked = check_claims(known.graph, claims, {});
    require(checked.size() == truth.size());
    for (std::size_t i = 0; i < truth.size(); ++i) {
      require(truth[i] || checked[i].status != hearsay::CheckedClaim::Status::verified);
    }
  } catch (const hearsay::Error& error) {
    require(std::string_view(error.what()).find('\n') == std::string_view::npos);
  }
  return 0;
}
