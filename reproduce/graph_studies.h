#pragma once

// The paper's studies of the effective independence number: random graphs of three laws by size,
// and grids on the unit square by side. A study is a list of points, each with one graph. solve()
// fills in their results, which are the same for any number of threads. Points that are solved
// already are left alone, so that a study that was stopped can continue.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hearsay/certificate/effort.h"
#include "hearsay/certificate/independence.h"
#include "hearsay/graph/families.h"

namespace hearsay::reproduce {

// Called after every graph with the number of points that are solved and the number of all points,
// by one thread at a time. The points may be read meanwhile.
using GraphProgress = std::function<void(std::size_t done, std::size_t all)>;

// Weights drawn independently and uniformly from [low, high].
struct WeightLaw {
  double low = 0;
  double high = 1;

  bool operator==(const WeightLaw&) const = default;
};
std::string name_of(const WeightLaw& law);  // "U(0, 0.5)"

struct RandomGraphs {
  std::vector<WeightLaw> laws = {{0, 1}, {0.5, 1}, {0, 0.5}};
  std::vector<std::size_t> sizes = {5, 10, 15, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200};
  std::size_t graphs = 100;  // of each law and size
  std::uint64_t seed = 1;
};

// The sizes that take minutes.
inline const std::vector<std::size_t> kLargeSizes = {300, 400, 500};

struct RandomGraphPoint {
  WeightLaw law;
  std::size_t arms = 0;
  std::size_t graph = 0;  // from 0
  EffectiveIndependence result;
};

// By law, size and graph.
std::vector<RandomGraphPoint> random_graph_points(const RandomGraphs& study);

// The three laws use the same draws. The threads of `effort` share the graphs. If it stops, the
// points whose results are exact are those that were solved.
void solve(const RandomGraphs& study, std::span<RandomGraphPoint> points, const Effort& effort,
           const GraphProgress& progress = {});

std::string formula(const DistanceWeight& weight);  // "1/(1+d^2)"

// side x side arms that fill [0, 1]^2, for both interpretations of the paper's weight.
struct UnitSquareGrids {
  std::vector<DistanceWeight> weights = {
      {.law = DistanceWeight::Law::inverse_one_plus_square},
      {.law = DistanceWeight::Law::inverse_square_one_plus},
  };
  std::size_t first_side = 2;
  std::size_t last_side = 40;
};

struct GridPoint {
  DistanceWeight weight;
  std::size_t side = 0;
  EffectiveIndependence result;
};

// By weight and side.
std::vector<GridPoint> grid_points(const UnitSquareGrids& study);

void solve(std::span<GridPoint> points, const Effort& effort, const GraphProgress& progress = {});

}  // namespace hearsay::reproduce
