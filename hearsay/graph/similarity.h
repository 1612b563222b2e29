#pragma once

// Graphs from what is known about pairs of arms: similarities or distances. Also functions that
// keep only the largest weights of a graph, or make it symmetric. Matrices have the arm played as
// the row. If the value of a pair is wrong, the functions throw ArcError, which names the pair, so
// that the reader of a file can report its place.
//
// A value outside its range by no more than kRounding, as rounding may leave it, counts as the end
// of the range.

#include <cstddef>
#include <string_view>
#include <vector>

#include "hearsay/graph/distance_weight.h"
#include "hearsay/graph/graph.h"

namespace hearsay {

inline constexpr double kRounding = 1e-6;  // similarities are often computed in single precision

// The weight of a pair is its similarity, in [0, 1]. The similarity of an arm with itself must
// be 1. `similarities` has arms * arms entries in row-major order.
Graph from_similarity(std::size_t arms, std::vector<double> similarities);

// The same for some pairs; Arc::weight is the similarity. The others have weight 0. An arm need not
// be listed with itself.
Graph from_similarity(std::size_t arms, std::vector<Arc> similarities);

// The kernel gives the weight of a pair from its distance, which must be finite and at least 0. The
// distance of an arm to itself must be 0. Two different arms at distance 0 have weight 1.
Graph from_distances(std::size_t arms, std::vector<double> distances, const DistanceWeight& kernel);

// The same for some pairs; Arc::weight is the distance. The others have weight 0.
Graph from_distances(std::size_t arms, std::vector<Arc> distances, const DistanceWeight& kernel);

// Keeps for each arm played the `count` largest weights to other arms, and the self weight. Among
// equal weights, those to the arms of smaller indices are kept. The result need not be symmetric
// even if `graph` is.
Graph nearest(const Graph& graph, std::size_t count);

// How symmetrize() combines the two weights of a pair of arms.
enum class Symmetry { max, min, mean };

// "max", "min" or "mean". Throws Error for another word.
Symmetry parse_symmetry(std::string_view word);

Graph symmetrize(const Graph& graph, Symmetry symmetry);

}  // namespace hearsay
