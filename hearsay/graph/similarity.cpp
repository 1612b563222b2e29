#include "hearsay/graph/similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "hearsay/base/interruption.h"
#include "hearsay/base/text.h"
#include "hearsay/graph/storage.h"

namespace hearsay {
namespace {

[[noreturn]] void refuse(Arm played, Arm seen, const char* what, double value,
                         const std::string& expected) {
  throw ArcError(what, played, seen, fmt::format("is {}, expected {}", value, expected));
}

double weight_of_similarity(Arm played, Arm seen, double similarity) {
  if (played == seen) {
    if (!(std::abs(similarity - 1) <= kRounding)) {
      refuse(played, seen, "similarity", similarity, "1, the similarity of an arm to itself");
    }
    return 1;
  }
  if (!(similarity >= -kRounding && similarity <= 1 + kRounding)) {
    refuse(played, seen, "similarity", similarity, "a number in [0, 1]");
  }
  return std::clamp(similarity, 0.0, 1.0);
}

double weight_of_distance(Arm played, Arm seen, double distance, const DistanceWeight& kernel) {
  if (played == seen) {
    if (!(std::abs(distance) <= kRounding)) {
      refuse(played, seen, "distance", distance, "0, the distance of an arm to itself");
    }
    return 1;
  }
  if (!(distance >= -kRounding && std::isfinite(distance))) {
    refuse(played, seen, "distance", distance, "a finite number >= 0");
  }
  const double positive = std::max(distance, 0.0);
  return kernel(positive * positive);
}

// weight(played, seen, value) is the weight of a pair.
template <class Weight>
Graph of_matrix(std::size_t arms, std::vector<double> values, Weight weight) {
  // Divides instead of multiplying, because arms * arms may overflow.
  if (arms > 0 && (values.size() / arms != arms || values.size() % arms != 0)) {
    throw Error(fmt::format("{} numbers, expected {} x {}", values.size(), arms, arms));
  }
  for (Arm played = 0; played < arms; ++played) {
    for (Arm seen = 0; seen < arms; ++seen) {
      double& value = values[played * arms + seen];
      value = weight(played, seen, value);
    }
    note_work(arms);
  }
  return Graph::dense(arms, std::move(values));
}

template <class Weight>
Graph of_pairs(std::size_t arms, std::vector<Arc> pairs, Weight weight) {
  for (Arc& pair : pairs) {
    pair.weight = weight(pair.played, pair.seen, pair.weight);
    note_work(1);
  }
  return graph_of_arcs(arms, std::move(pairs));
}

}  // namespace

Graph from_similarity(std::size_t arms, std::vector<double> similarities) {
  return of_matrix(arms, std::move(similarities), weight_of_similarity);
}

Graph from_similarity(std::size_t arms, std::vector<Arc> similarities) {
  return of_pairs(arms, std::move(similarities), weight_of_similarity);
}

Graph from_distances(std::size_t arms, std::vector<double> distances,
                     const DistanceWeight& kernel) {
  kernel.check();
  return of_matrix(arms, std::move(distances), [&](Arm played, Arm seen, double distance) {
    return weight_of_distance(played, seen, distance, kernel);
  });
}

Graph from_distances(std::size_t arms, std::vector<Arc> distances, const DistanceWeight& kernel) {
  kernel.check();
  return of_pairs(arms, std::move(distances), [&](Arm played, Arm seen, double distance) {
    return weight_of_distance(played, seen, distance, kernel);
  });
}

Graph nearest(const Graph& graph, std::size_t count) {
  std::vector<Arc> kept;
  std::vector<Arc> row;
  for (Arm played = 0; played < graph.arms(); ++played) {
    row.clear();
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      (seen == played ? kept : row).push_back({played, seen, weight});
    });
    const std::size_t few = std::min(count, row.size());
    std::ranges::partial_sort(row, row.begin() + static_cast<std::ptrdiff_t>(few),
                              [](const Arc& a, const Arc& b) {
                                return a.weight != b.weight ? a.weight > b.weight : a.seen < b.seen;
                              });
    kept.insert(kept.end(), row.begin(), row.begin() + static_cast<std::ptrdiff_t>(few));
    note_work(row.size() + 1);
  }
  return graph_of_arcs(graph.arms(), std::move(kept));
}

Symmetry parse_symmetry(std::string_view word) {
  constexpr auto kWords = std::to_array<std::string_view>({"max", "min", "mean"});
  const auto* const found = std::ranges::find(kWords, word);
  if (found == kWords.end()) {
    throw Error(fmt::format("is {}, expected max, min or mean", in_quotes(word)));
  }
  return static_cast<Symmetry>(found - kWords.begin());
}

Graph symmetrize(const Graph& graph, Symmetry symmetry) {
  const auto joined = [&](double one, double other) {
    switch (symmetry) {
      case Symmetry::max:
        return std::max(one, other);
      case Symmetry::min:
        return std::min(one, other);
      case Symmetry::mean:
        break;
    }
    return one / 2 + other / 2;
  };
  std::vector<Arc> arcs;
  for (Arm played = 0; played < graph.arms(); ++played) {
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      note_work(1);
      const double back = graph.weight(seen, played);
      const double both = seen == played ? weight : joined(weight, back);
      if (both > 0) {
        arcs.push_back({played, seen, both});
        if (back == 0) {  // the other row has no arc for this pair
          arcs.push_back({seen, played, both});
        }
      }
    });
  }
  return graph_of_arcs(graph.arms(), std::move(arcs));
}

}  // namespace hearsay
