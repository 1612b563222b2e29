#pragma once

// The claims of the paper about its experiments, each with what a run measured and a verdict. The
// rule of the verdict is part of the claim's text or stands at its function, and uses only the
// numbers that it is given. A claim of this project, which the paper does not make, says so.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/certificate/independence.h"
#include "hearsay/report/html.h"
#include "reproduce/graph_studies.h"

namespace hearsay::reproduce {

using Claims = std::vector<Report::Claim>;

// Mean of alpha* over the graphs of one size.
struct SizeMean {
  std::size_t arms = 0;
  double alpha_star = 0;
};
std::vector<SizeMean> means_of(std::span<const RandomGraphPoint> points, const WeightLaw& law);

// The paper's trends as curves: from 20 arms on a logarithm fitted to the means for U(0, 1); 4 for
// U(1/2, 1); for U(0, 1/2) first N, and beyond the critical size a logarithm. Empty for other laws
// and sizes, or if there are fewer than two sizes to fit a logarithm to.
class PaperTrend {
 public:
  explicit PaperTrend(std::span<const RandomGraphPoint> points);
  std::optional<double> operator()(const WeightLaw& law, std::size_t arms) const;

 private:
  struct Logarithm {
    double at_one = 0;
    double slope = 0;  // in ln N
  };
  static std::optional<Logarithm> fit(const std::vector<SizeMean>& means, std::size_t from);

  std::optional<Logarithm> whole_;
  std::optional<Logarithm> lower_half_;
};

// A logarithm grows by the same amount with every doubling of N, a power N^p by 2^p times as much
// as with the doubling before. Growth counts as logarithmic up to p = 0.2, in part up to p = 0.5.
Claims random_graph_claims(std::span<const RandomGraphPoint> points);

// The limit of alpha* as a grid on the unit square is refined, which no grid exceeds, for the two
// interpretations of the paper's weight. Let d(m) be the largest d for which m points of the square
// can have pairwise distances of at least d, and w(d) the weight at distance d. Then the limit is
// the minimum of (m - 1) / w(d(m))^2 over m.
std::optional<double> refined_grid_limit(const DistanceWeight& weight);

Claims grid_claims(std::span<const GridPoint> points);

// Regret of a learner at the horizon, mean over all runs.
struct FinalRegret {
  std::string label;
  std::optional<double> rate;       // nullopt if it is adaptive
  std::optional<double> threshold;  // nullopt if the learner has none
  double regret = 0;
};

// `usual` and `noisy` are the regrets of the comparison at R = 1 and R = 2, and `graph` is alpha*
// of its graph.
Claims comparison_claims(std::span<const FinalRegret> usual, std::span<const FinalRegret> noisy,
                         const EffectiveIndependence& graph);

// Regrets of learners at static rates, and of exp3-ivc with its adaptive one.
Claims rate_claims(std::span<const FinalRegret> rates);

// A learner with a certificate at one round: means over all runs.
struct BoundedRegret {
  std::string label;
  bool ours = false;  // the learner was introduced by this project, not by the paper
  std::size_t round = 0;
  double regret = 0;
  std::optional<double> bound;
};
Claims certificate_claims(std::span<const BoundedRegret> points);

}  // namespace hearsay::reproduce
