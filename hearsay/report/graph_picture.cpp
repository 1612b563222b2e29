#include "hearsay/report/graph_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "hearsay/base/number_text.h"

namespace hearsay {
namespace {

constexpr std::uint64_t kMostCallsOfSearch = 500;  // of Effort::stop: about a second

// The largest side of the map, in cells, and the largest number of arms of a graph whose
// independence number is given.
constexpr std::size_t kLargestSide = 200;

// The mean weights of blocks of arms, one arm each if there are few, as two hexadecimal digits
// each.
std::string weight_map(const Graph& graph, std::size_t side) {
  const std::size_t arms = graph.arms();
  const auto block = [&](Arm arm) { return arm * side / arms; };
  std::vector<double> sums(side * side);
  std::vector<double> sizes(side);
  for (Arm played = 0; played < arms; ++played) {
    ++sizes[block(played)];
    graph.for_each_seen(played, [&](Arm seen, double weight) {
      sums[block(played) * side + block(seen)] += weight;
    });
  }
  constexpr double kFull = 255;
  std::string digits;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double mean = sums[i] / (sizes[i / side] * sizes[i % side]);
    digits += fmt::format("{:02x}", std::lround(kFull * mean));
  }
  return digits;
}

// None for too many arms.
std::optional<GraphPicture> map_of(const Graph& graph) {
  const std::size_t arms = graph.arms();
  if (arms > kMostPicturedArms) {
    return std::nullopt;
  }
  GraphPicture picture;
  picture.arms = arms;
  picture.side = std::min(arms, kLargestSide);
  picture.weights = weight_map(graph, picture.side);
  picture.caption = fmt::format(
      "How well playing one of the {} arms (row) shows another (column): the stronger the colour, "
      "the larger the weight{}.",
      grouped_digits(arms), picture.side < arms ? ", on average over blocks of arms" : "");
  return picture;
}

// Draws the arms as nodes, if they are few enough. `name` is the name of the number that was found.
void mark(GraphPicture& picture, const std::string& name, double threshold,
          const std::vector<Arm>& witness) {
  if (picture.arms > kLargestSide) {
    return;
  }
  picture.threshold = threshold;
  picture.witness.assign(witness.begin(), witness.end());
  picture.caption += fmt::format(
      " The {}: the {} filled arms are independent at the threshold eps = {:.4g}; no two of them "
      "have a weight of at least eps. Lines are the weights of at least eps.",
      name, witness.size(), threshold);
}

std::string found_text(bool exact, double lower, double upper) {
  return exact ? "is " + four_digits(upper)
               : fmt::format("is from {} to {}", four_digits(lower), four_digits(upper));
}

}  // namespace

std::optional<GraphPicture> graph_picture(const Graph& graph) {
  return graph.arms() > kLargestSide
             ? map_of(graph)
             : graph_picture(graph, effective_independence(
                                        graph, {.effort = limited_effort(kMostCallsOfSearch)}));
}

std::optional<GraphPicture> graph_picture(const Graph& graph, const EffectiveIndependence& found) {
  std::optional<GraphPicture> picture = map_of(graph);
  if (picture) {
    mark(
        *picture,
        "effective independence number alpha* " + found_text(found.exact, found.lower, found.upper),
        found.threshold, found.witness);
  }
  return picture;
}

std::optional<GraphPicture> graph_picture(const Graph& graph, const IndependenceNumber& found) {
  std::optional<GraphPicture> picture = map_of(graph);
  if (picture) {
    mark(*picture,
         "independence number alpha(eps) " + found_text(found.exact(),
                                                        static_cast<double>(found.lower),
                                                        static_cast<double>(found.upper)),
         found.threshold, found.witness);
  }
  return picture;
}

}  // namespace hearsay
