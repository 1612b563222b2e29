#pragma once

// The picture of an observation graph in a report: a map of its weights and, for few arms, its
// effective independence number with the arms that show it.

#include <cstddef>
#include <optional>

#include "hearsay/certificate/independence.h"
#include "hearsay/graph/graph.h"
#include "hearsay/report/html.h"

namespace hearsay {

// A graph of more arms has no picture.
inline constexpr std::size_t kMostPicturedArms = 2000;

// Empty for more than kMostPicturedArms. The independence number is given for up to 200 arms; it is
// searched for with a limited effort, which is the same on every machine, and is an interval if
// that does not suffice.
std::optional<GraphPicture> graph_picture(const Graph& graph);

// The same with an independence number that has been found already.
std::optional<GraphPicture> graph_picture(const Graph& graph, const EffectiveIndependence& found);
std::optional<GraphPicture> graph_picture(const Graph& graph, const IndependenceNumber& found);

}  // namespace hearsay
