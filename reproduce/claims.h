#pragma once

// What the paper says of its experiments, each saying beside the figures of a run, and whether they
// bear it out: "holds", "holds in part" or "does not hold". The rule is part of every claim's text
// or stands at its function, and looks at nothing but the figures handed in. Where a saying is
// ours, not the paper's, the claim says so.

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
std::vector<SizeMean> means_of(std::span<const RandomGraphPoint> points, const UniformLaw& law);

// The paper's trends as curves: a logarithm through the means for U(0, 1); 4 for U(1/2, 1); for
// U(0, 1/2) first N, and past the critical size a logarithm. None where there are no two sizes to
// lay a logarithm through, and for other laws.
class PaperTrend {
 public:
  explicit PaperTrend(std::span<const RandomGraphPoint> points);
  std::optional<double> operator()(const UniformLaw& law, std::size_t arms) const;

 private:
  struct Logarithm {
    double at_one = 0;
    double slope = 0;  // in ln N
  };
  static std::optional<Logarithm> fit(const std::vector<SizeMean>& means, std::size_t from);

  std::optional<Logarithm> whole_;
  std::optional<Logarithm> lower_half_;
};

// A logarithm adds the same at every doubling, a power N^p adds 2^p times more at the next: growth
// is called logarithmic up to p = 0.2, in part up to p = 0.5.
Claims random_graph_claims(std::span<const RandomGraphPoint> points);

// Where alpha* tends as a grid on the unit square is refined, which no grid exceeds, for the two
// readings of the paper's weight. With d(m) the largest distance that m points of the square can
// keep, and w the weight at a distance, it is the least (m - 1) / w(d(m))^2.
std::optional<double> refined_grid_limit(const DistanceWeight& weight);

Claims grid_claims(std::span<const GridPoint> points);

// Regret of a learner at the horizon, mean over all runs.
struct FinalRegret {
  std::string label;
  std::optional<double> rate;       // none: adaptive
  std::optional<double> threshold;  // none: it takes none
  double regret = 0;
};

// `usual`, `noisy`: the comparison at R = 1 and R = 2. `graph`: alpha* of the graph it is played
// on.
Claims comparison_claims(std::span<const FinalRegret> usual, std::span<const FinalRegret> noisy,
                         const EffectiveIndependence& graph);

// Some learners, ours among them, by static rates.
Claims rate_claims(std::span<const FinalRegret> rates);

// A learner with a certificate at one round: means over all runs.
struct BoundedRegret {
  std::string label;
  std::size_t round = 0;
  double regret = 0;
  std::optional<double> bound;
};
Claims certificate_claims(std::span<const BoundedRegret> points);

}  // namespace hearsay::reproduce
